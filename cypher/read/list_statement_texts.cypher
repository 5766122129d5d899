// name: list_statement_texts
// what: Which of these statements are there, and how they are worded.
// mode: read
// params: keys
// scope: free - by key, and keys hold the scope
MATCH (t:Statement) WHERE t.key IN $keys
RETURN t.key AS key, t.text AS text
