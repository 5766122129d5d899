// name: update_codes
// what: The content of codes of which a source says more than was there.
// mode: write
// params: rows
// scope: free - keys hold the scope
UNWIND $rows AS r
MATCH (k:Code {key: r.key})
SET k.from_release = r.from_release, k.to_release = r.to_release, k.names = r.names, k.ttys = r.ttys,
    k.languages = r.languages, k.suppress = r.suppress, k.ranks = r.ranks, k.cuis = r.cuis,
    k.definition = r.definition, k.definitions = r.definitions, k.definition_cuis = r.definition_cuis,
    k.semantic_types = r.semantic_types, k.type_cuis = r.type_cuis, k.attributes = r.attributes
