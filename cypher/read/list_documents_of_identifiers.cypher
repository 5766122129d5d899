// name: list_documents_of_identifiers
// what: Documents of a scope that bear one of these identifiers, with the work they are.
// mode: read
// params: scope, dois, pmids, pmcids
// scope: bound
UNWIND $dois AS value
MATCH (d:Document {id_doi: value}) WHERE d.scope = $scope
RETURN d.key AS key, d.work AS work
UNION
UNWIND $pmids AS value
MATCH (d:Document {id_pmid: value}) WHERE d.scope = $scope
RETURN d.key AS key, d.work AS work
UNION
UNWIND $pmcids AS value
MATCH (d:Document {id_pmcid: value}) WHERE d.scope = $scope
RETURN d.key AS key, d.work AS work
