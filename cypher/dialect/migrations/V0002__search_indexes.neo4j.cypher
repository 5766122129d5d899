// Vector and full-text indexes. 384 is the dimension of the built-in encoder.

CREATE VECTOR INDEX chunk_embedding IF NOT EXISTS FOR (n:Chunk) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}};

CREATE VECTOR INDEX tag_embedding IF NOT EXISTS FOR (n:TagSummary) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}};

CREATE FULLTEXT INDEX chunk_text IF NOT EXISTS FOR (n:Chunk) ON EACH [n.text];

CREATE FULLTEXT INDEX concept_text IF NOT EXISTS FOR (n:Concept) ON EACH [n.name, n.search_text];

CREATE FULLTEXT INDEX page_text IF NOT EXISTS FOR (n:Page) ON EACH [n.text];

CALL db.awaitIndexes(300);
