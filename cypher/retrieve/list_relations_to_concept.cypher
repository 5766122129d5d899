// name: list_relations_to_concept
// what: The relations that end at a concept, now or at a release, in their true direction.
// mode: read
// params: key, scopes, limit, as_of, release
// scope: bound
MATCH (c:Concept {key: $key}) WHERE c.scope IN $scopes
MATCH (c)<-[e]-(o:Concept)
WHERE o.scope IN $scopes AND ($release = '' AND coalesce(e.to_release, '') = ''
    OR $release <> '' AND coalesce(e.from_release, '') <= $release
       AND (coalesce(e.to_release, '') = '' OR e.to_release > $release))
  AND (e.sab <> 'TEXT' OR EXISTS {
    MATCH (t:Statement {key: e.key})-[:EVIDENCED_BY]->(:Chunk)-[:PART_OF]->(d:Document)
    WHERE (($as_of = '' OR d.tier = 'user') AND d.retracted_at IS NULL AND d.superseded_by IS NULL
         OR $as_of <> '' AND d.tier <> 'user'
            AND substring(coalesce(d.retracted_at, '9999'), 0, size($as_of)) > $as_of
            AND substring(coalesce(d.effective_to, '9999'), 0, size($as_of)) > $as_of
            AND substring(coalesce(d.published, ''), 0, size($as_of)) <= $as_of
            AND substring(coalesce(d.effective_from, ''), 0, size($as_of)) <= $as_of
            AND substring(coalesce(d.since, ''), 0, size($as_of)) <= $as_of)
  })
WITH e, o,
     CASE WHEN $release = '' OR o.past_until IS NULL THEN []
     ELSE [i IN range(0, size(o.past_until) - 1) WHERE o.past_until[i] > $release] END AS later
RETURN e.key AS key, type(e) AS type, e.predicate AS predicate, e.sab AS sab, o.key AS other,
       CASE WHEN size(later) = 0 THEN o.name ELSE o.past_names[later[0]] END AS name
ORDER BY type, name, key
LIMIT $limit
