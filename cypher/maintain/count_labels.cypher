// name: count_labels
// what: The number of nodes of each label.
// mode: read
// params: -
// scope: free - only counts
MATCH (n:Source) RETURN 'Source' AS label, count(n) AS n
UNION ALL
MATCH (n:Document) RETURN 'Document' AS label, count(n) AS n
UNION ALL
MATCH (n:Chunk) RETURN 'Chunk' AS label, count(n) AS n
UNION ALL
MATCH (n:Mention) RETURN 'Mention' AS label, count(n) AS n
UNION ALL
MATCH (n:Concept) RETURN 'Concept' AS label, count(n) AS n
UNION ALL
MATCH (n:Code) RETURN 'Code' AS label, count(n) AS n
UNION ALL
MATCH (n:Statement) RETURN 'Statement' AS label, count(n) AS n
UNION ALL
MATCH (n:TagSummary) RETURN 'TagSummary' AS label, count(n) AS n
UNION ALL
MATCH (n:Page) RETURN 'Page' AS label, count(n) AS n
UNION ALL
MATCH (n:Patient) RETURN 'Patient' AS label, count(n) AS n
UNION ALL
MATCH (n:Encounter) RETURN 'Encounter' AS label, count(n) AS n
UNION ALL
MATCH (n:Run) RETURN 'Run' AS label, count(n) AS n
UNION ALL
MATCH (n:Dirty) RETURN 'Dirty' AS label, count(n) AS n
UNION ALL
MATCH (n:Meta) RETURN 'Meta' AS label, count(n) AS n
