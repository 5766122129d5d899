// Documents are found by the run and the source they came with, and by when they were retracted or superseded.

CREATE INDEX document_run IF NOT EXISTS FOR (n:Document) ON (n.run);
CREATE INDEX document_source IF NOT EXISTS FOR (n:Document) ON (n.source);
CREATE INDEX document_retracted_at IF NOT EXISTS FOR (n:Document) ON (n.retracted_at);
CREATE INDEX document_superseded_by IF NOT EXISTS FOR (n:Document) ON (n.superseded_by);
CREATE INDEX dirty_target IF NOT EXISTS FOR (n:Dirty) ON (n.target);
