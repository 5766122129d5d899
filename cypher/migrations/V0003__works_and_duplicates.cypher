// Documents are found by their published identifiers, by the work they are, and by the bands of their simhash.

CREATE INDEX document_id_doi IF NOT EXISTS FOR (n:Document) ON (n.id_doi);
CREATE INDEX document_id_pmid IF NOT EXISTS FOR (n:Document) ON (n.id_pmid);
CREATE INDEX document_id_pmcid IF NOT EXISTS FOR (n:Document) ON (n.id_pmcid);
CREATE INDEX document_work IF NOT EXISTS FOR (n:Document) ON (n.work);
CREATE INDEX document_duplicate_of IF NOT EXISTS FOR (n:Document) ON (n.duplicate_of);
CREATE INDEX document_simhash_0 IF NOT EXISTS FOR (n:Document) ON (n.simhash_0);
CREATE INDEX document_simhash_1 IF NOT EXISTS FOR (n:Document) ON (n.simhash_1);
CREATE INDEX document_simhash_2 IF NOT EXISTS FOR (n:Document) ON (n.simhash_2);
CREATE INDEX document_simhash_3 IF NOT EXISTS FOR (n:Document) ON (n.simhash_3);
