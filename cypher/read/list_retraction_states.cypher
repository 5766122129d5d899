// name: list_retraction_states
// what: Documents that bear one of these identifiers, and what is known of their retraction.
// mode: read
// params: scopes, dois, pmids, pmcids
// scope: bound
UNWIND $dois AS value
MATCH (d:Document {id_doi: value}) WHERE d.scope IN $scopes OR size($scopes) = 0
RETURN d.key AS key, d.scope AS scope, d.retracted_at AS retracted_at, d.retracted_by AS retracted_by,
       d.says_retracted AS says_retracted, d.id_doi AS doi, d.id_pmid AS pmid, d.id_pmcid AS pmcid
UNION
UNWIND $pmids AS value
MATCH (d:Document {id_pmid: value}) WHERE d.scope IN $scopes OR size($scopes) = 0
RETURN d.key AS key, d.scope AS scope, d.retracted_at AS retracted_at, d.retracted_by AS retracted_by,
       d.says_retracted AS says_retracted, d.id_doi AS doi, d.id_pmid AS pmid, d.id_pmcid AS pmcid
UNION
UNWIND $pmcids AS value
MATCH (d:Document {id_pmcid: value}) WHERE d.scope IN $scopes OR size($scopes) = 0
RETURN d.key AS key, d.scope AS scope, d.retracted_at AS retracted_at, d.retracted_by AS retracted_by,
       d.says_retracted AS says_retracted, d.id_doi AS doi, d.id_pmid AS pmid, d.id_pmcid AS pmcid
