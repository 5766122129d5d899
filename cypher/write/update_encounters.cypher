// name: update_encounters
// what: What the admissions table says of encounters; an absent value leaves what is there.
// mode: write
// params: rows
// scope: free - keys hold the scope; only rows of one document are written
UNWIND $rows AS r
MATCH (e:Encounter {key: r.key})
SET e += r.properties
