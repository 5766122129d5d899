// name: stream_code_names
// what: Every live code's names for every concept it stands for: what a lexicon is built from. The five lists run parallel;
// of a code that stands for several concepts each row holds the names of its own concept only.
// mode: read
// params: scopes
// scope: bound
MATCH (k:Code)-[:CODE_OF]->(c:Concept)
WHERE k.scope IN $scopes AND c.scope IN $scopes AND coalesce(k.to_release, '') = '' AND size(k.names) > 0
WITH k, c, CASE WHEN k.cuis IS NULL OR size(k.cuis) = 0 THEN null
                ELSE [i IN range(0, size(k.cuis) - 1) WHERE k.cuis[i] = c.key] END AS own
RETURN c.key AS concept, c.scope AS scope, c.semantic_types AS semantic_types, k.vocabulary AS vocabulary,
       k.curie AS curie,
       CASE WHEN own IS NULL THEN k.names ELSE [i IN own | k.names[i]] END AS names,
       CASE WHEN own IS NULL THEN k.ttys ELSE [i IN own | k.ttys[i]] END AS ttys,
       CASE WHEN own IS NULL THEN k.languages ELSE [i IN own | k.languages[i]] END AS languages,
       CASE WHEN own IS NULL THEN k.suppress ELSE [i IN own | k.suppress[i]] END AS suppress,
       CASE WHEN own IS NULL THEN k.ranks ELSE [i IN own | k.ranks[i]] END AS ranks
