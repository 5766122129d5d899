// name: list_document_likes
// what: What says which other documents are like these: identifiers, work, simhash.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $keys
RETURN d.key AS key, d.scope AS scope, d.id_doi AS doi, d.id_pmid AS pmid, d.id_pmcid AS pmcid, d.work AS work,
       d.duplicate_of AS duplicate_of, d.simhash_0 AS s0, d.simhash_1 AS s1, d.simhash_2 AS s2, d.simhash_3 AS s3,
       d.retracts AS retracts
