// name: list_concept_cards
// what: Concepts with their live codes, now or at a release: names, definitions and who defines.
// mode: read
// params: keys, scopes, release
// scope: bound
UNWIND $keys AS key
MATCH (c:Concept {key: key}) WHERE c.scope IN $scopes
OPTIONAL MATCH (k:Code)-[:CODE_OF]->(c) WHERE k.scope IN $scopes
WITH c, collect(CASE WHEN k IS NULL THEN null ELSE {key: k.key, vocabulary: k.vocabulary, curie: k.curie,
  names: k.names, definition: k.definition, definitions: k.definitions,
  live: ($release = '' AND coalesce(k.to_release, '') = ''
    OR $release <> '' AND coalesce(k.from_release, '') <= $release
       AND (coalesce(k.to_release, '') = '' OR k.to_release > $release))} END) AS every
WITH c, size(every) AS many, [k IN every WHERE k.live] AS codes,
     CASE WHEN $release = '' OR c.past_until IS NULL THEN []
     ELSE [i IN range(0, size(c.past_until) - 1) WHERE c.past_until[i] > $release] END AS later
WHERE $release = '' OR many = 0 OR size(codes) > 0
RETURN c.key AS key, c.scope AS scope, codes, c.retired AS retired, c.replaced_by AS replaced_by,
       CASE WHEN size(later) = 0 THEN c.name ELSE c.past_names[later[0]] END AS name,
       CASE WHEN size(later) = 0 THEN c.definition ELSE c.past_definitions[later[0]] END AS definition,
       CASE WHEN size(later) = 0 THEN c.semantic_types ELSE split(c.past_types[later[0]], ',') END AS semantic_types
