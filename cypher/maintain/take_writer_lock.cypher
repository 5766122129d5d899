// name: take_writer_lock
// what: Update the one lock node, so that writers of different processes follow each other.
// mode: write
// params: -
// scope: free - a Meta node has no content
MERGE (m:Meta {key: 'meta:lock'})
ON CREATE SET m.scope = 'public'
SET m.turn = coalesce(m.turn, 0) + 1
