-- Vector and full-text indexes, in ArcadeDB's SQL: its Cypher cannot make them. A full-text index takes strings only.

CREATE PROPERTY Chunk.embedding IF NOT EXISTS ARRAY_OF_FLOATS;
CREATE PROPERTY Chunk.text IF NOT EXISTS STRING;
CREATE PROPERTY TagSummary.embedding IF NOT EXISTS ARRAY_OF_FLOATS;
CREATE PROPERTY Concept.name IF NOT EXISTS STRING;
CREATE PROPERTY Concept.search_text IF NOT EXISTS STRING;
CREATE PROPERTY Page.text IF NOT EXISTS STRING;

CREATE INDEX chunk_embedding IF NOT EXISTS ON Chunk (embedding) LSM_VECTOR METADATA {"dimensions": 384, "similarity": "COSINE"};
CREATE INDEX tag_embedding IF NOT EXISTS ON TagSummary (embedding) LSM_VECTOR METADATA {"dimensions": 384, "similarity": "COSINE"};
CREATE INDEX chunk_text IF NOT EXISTS ON Chunk (text) FULL_TEXT METADATA {"similarity": "BM25"};
CREATE INDEX concept_text IF NOT EXISTS ON Concept (name, search_text) FULL_TEXT METADATA {"similarity": "BM25"};
CREATE INDEX page_text IF NOT EXISTS ON Page (text) FULL_TEXT METADATA {"similarity": "BM25"};
