// name: list_documents_of_work
// what: The documents of a scope that are one of these works, with their identifiers.
// mode: read
// params: scope, works
// scope: bound
UNWIND $works AS work
MATCH (d:Document {work: work}) WHERE d.scope = $scope
RETURN d.key AS key, d.work AS work, d.id_doi AS doi, d.id_pmid AS pmid, d.id_pmcid AS pmcid
