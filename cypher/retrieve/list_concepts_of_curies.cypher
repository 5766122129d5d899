// name: list_concepts_of_curies
// what: Which concepts codes stand for (``ICD10CM:I10``), now or at a release, with the codes' names.
// mode: read
// params: curies, scopes, release
// scope: bound
MATCH (k:Code) WHERE k.curie IN $curies AND k.scope IN $scopes
  AND ($release = '' AND coalesce(k.to_release, '') = ''
    OR $release <> '' AND coalesce(k.from_release, '') <= $release
       AND (coalesce(k.to_release, '') = '' OR k.to_release > $release))
MATCH (k)-[:CODE_OF]->(c:Concept) WHERE c.scope IN $scopes
RETURN k.curie AS curie, k.key AS code, k.names AS names, c.key AS concept ORDER BY curie, code, concept
