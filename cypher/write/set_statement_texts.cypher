// name: set_statement_texts
// what: The words of statements whose concepts have another name now.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (t:Statement {key: r.key})
SET t.text = r.text
