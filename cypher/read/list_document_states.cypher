// name: list_document_states
// what: What is known of documents: pipeline version, lexicon, places, revision, and whether another took its place.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (d:Document) WHERE d.key IN $keys
RETURN d.key AS key, d.pipeline AS pipeline, d.lexicon AS lexicon, d.path AS path, d.revision AS revision,
       coalesce(d.paths, [d.path]) AS paths, d.files AS files, d.superseded_by AS superseded_by
