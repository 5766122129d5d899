// name: list_document_lives
// what: Documents that were retracted or superseded, and when: what searches leave out, now or at a date.
// mode: read
// params: -
// scope: free - keys and dates, for the index; every search of it binds the scope
// as_of: free - the index keeps the dates; every search of it compares them
MATCH (d:Document) WHERE d.retracted_at >= ''
RETURN d.key AS key, d.tier AS tier, d.retracted_at AS retracted_at, d.effective_to AS effective_to,
       d.superseded_by AS superseded_by
UNION
MATCH (d:Document) WHERE d.superseded_by >= ''
RETURN d.key AS key, d.tier AS tier, d.retracted_at AS retracted_at, d.effective_to AS effective_to,
       d.superseded_by AS superseded_by
