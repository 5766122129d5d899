// Every node has a key, unique in its label; range indexes on what queries start from.

CREATE CONSTRAINT source_key IF NOT EXISTS FOR (n:Source) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT document_key IF NOT EXISTS FOR (n:Document) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT chunk_key IF NOT EXISTS FOR (n:Chunk) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT mention_key IF NOT EXISTS FOR (n:Mention) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT concept_key IF NOT EXISTS FOR (n:Concept) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT code_key IF NOT EXISTS FOR (n:Code) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT statement_key IF NOT EXISTS FOR (n:Statement) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT tag_summary_key IF NOT EXISTS FOR (n:TagSummary) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT page_key IF NOT EXISTS FOR (n:Page) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT patient_key IF NOT EXISTS FOR (n:Patient) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT encounter_key IF NOT EXISTS FOR (n:Encounter) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT run_key IF NOT EXISTS FOR (n:Run) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT dirty_key IF NOT EXISTS FOR (n:Dirty) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT meta_key IF NOT EXISTS FOR (n:Meta) REQUIRE n.key IS UNIQUE;

CREATE INDEX document_record IF NOT EXISTS FOR (n:Document) ON (n.record);
CREATE INDEX document_path IF NOT EXISTS FOR (n:Document) ON (n.path);
CREATE INDEX document_scope IF NOT EXISTS FOR (n:Document) ON (n.scope);
CREATE INDEX chunk_document IF NOT EXISTS FOR (n:Chunk) ON (n.document);
CREATE INDEX chunk_scope IF NOT EXISTS FOR (n:Chunk) ON (n.scope);
CREATE INDEX mention_document IF NOT EXISTS FOR (n:Mention) ON (n.document);
CREATE INDEX statement_scope IF NOT EXISTS FOR (n:Statement) ON (n.scope);
CREATE INDEX code_curie IF NOT EXISTS FOR (n:Code) ON (n.curie);
CREATE INDEX patient_subject_id IF NOT EXISTS FOR (n:Patient) ON (n.subject_id);
CREATE INDEX encounter_hadm_id IF NOT EXISTS FOR (n:Encounter) ON (n.hadm_id);
CREATE INDEX encounter_subject_id IF NOT EXISTS FOR (n:Encounter) ON (n.subject_id);
CREATE INDEX dirty_kind IF NOT EXISTS FOR (n:Dirty) ON (n.kind);
