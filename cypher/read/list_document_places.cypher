// name: list_document_places
// what: Scope, dates and places of documents that are there.
// mode: read
// params: documents
// scope: free - by key, and keys hold the scope
// as_of: free - keys of what is to be retracted
MATCH (d:Document) WHERE d.key IN $documents
RETURN d.key AS key, d.scope AS scope, coalesce(d.paths, [d.path]) AS paths, d.retracted_at AS retracted_at, d.published AS published, d.files AS files, d.run AS run,
       d.says_retracted AS says_retracted, d.id_doi AS doi, d.id_pmid AS pmid, d.id_pmcid AS pmcid
