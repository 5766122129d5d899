"""Every error a user can meet, with a code to search for.

::

    GraphKBError
    ├── ConfigError            GKB-1xx  a setting, a file of settings, the installation
    ├── StoreError             GKB-2xx  the database server
    │   ├── StoreUnavailable   *        down, starting, or the connection broke
    │   ├── TransientError     *        deadlock, lock time-out, write conflict
    │   ├── ConstraintViolation *       two writers created the same key (rerun the transaction)
    │   ├── StoreTimeout                a statement or transaction ran past its limit
    │   └── BatchTooLarge               a batch over the byte cap
    ├── QueryError             GKB-3xx  a named query or its parameters
    │   └── ForbiddenQuery              free Cypher that is not read-only
    ├── InputError             GKB-4xx  a file, a row, a record
    ├── EncoderError           GKB-5xx  vectors and models
    │   └── IndexMismatch               an index made by another model or pipeline
    ├── IngestError            GKB-6xx  a run of ingestion, the ledger, the graph's invariants
    └── AnswerError            GKB-7xx  a question

    * = retryable: the same transaction may succeed when it is run again.

An error says what happened, where, and what to do. It never carries record text, a parameter value or a
secret: only names of files, rows, settings, queries and keys.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """What a code means and the next step."""

    title: str
    hint: str


CODES: dict[str, ErrorInfo] = {
    # 1xx configuration and installation
    "GKB-101": ErrorInfo("the configuration file cannot be read", "check the path and the TOML syntax at the named line"),
    "GKB-102": ErrorInfo("unknown setting", "`graphkb config show` lists every setting"),
    "GKB-103": ErrorInfo("a setting has a wrong value", "see the setting's comment in graphkb.toml"),
    "GKB-104": ErrorInfo("the directory already holds a configuration", "choose another directory or edit the file that is there"),
    "GKB-105": ErrorInfo("a scope name is not valid", "use 1-64 of a-z 0-9 _ - ; it starts with a letter"),
    "GKB-106": ErrorInfo("an optional part is not installed", "install the extra that the message names"),
    # 2xx store
    "GKB-201": ErrorInfo("the store cannot be reached", "check that it runs: `graphkb store info`, `graphkb doctor`"),
    "GKB-202": ErrorInfo("the store refused the user or password", "set store.user and store.password (or GRAPHKB_STORE__PASSWORD)"),
    "GKB-203": ErrorInfo("the transaction met a passing conflict", "run it again; graphkb has already tried"),
    "GKB-204": ErrorInfo("a key exists already", "run the transaction again; graphkb has already tried"),
    "GKB-205": ErrorInfo("a statement ran past its time limit", "narrow it, or raise store.timeout_s"),
    "GKB-206": ErrorInfo("a batch is over the byte limit", "send fewer rows; see store.max_batch_bytes"),
    "GKB-207": ErrorInfo("the store answered with an error", "the message names the query file; see the server's log"),
    "GKB-208": ErrorInfo("the embedded store did not start", "read store.log in the data directory; see docs/stores.md"),
    "GKB-209": ErrorInfo("a migration was changed after it ran", "restore the migration file; migrations only go forward"),
    "GKB-210": ErrorInfo("the graph is newer than this graphkb", "upgrade graphkb"),
    "GKB-211": ErrorInfo("the write changed fewer or more items than expected", "an end of an edge is missing; run `graphkb check`"),
    "GKB-212": ErrorInfo("the store's disk is full or not writable", "free space, then run the same command again: it resumes"),
    # 3xx queries
    "GKB-301": ErrorInfo("a query file has a wrong header", "see docs/cypher.md for the header"),
    "GKB-302": ErrorInfo("there is no query of that name", "query files lie in cypher/"),
    "GKB-303": ErrorInfo("a query's parameters do not match", "declared and used parameters must be the same"),
    "GKB-304": ErrorInfo("two query files have one name", "rename one"),
    "GKB-305": ErrorInfo("a read query does not bind the scope", "filter by $scopes, or declare `scope: free` with the reason"),
    "GKB-306": ErrorInfo("this Cypher is not read-only", "graphkb cypher only reads; writing goes through `graphkb ingest`"),
    "GKB-307": ErrorInfo("the Cypher has an error", "correct it; see the message for the place"),
    # 4xx input
    "GKB-401": ErrorInfo("the file or folder does not exist", "check the path"),
    "GKB-402": ErrorInfo("the file is empty", "nothing was taken from it; what an earlier version brought stays in the graph"),
    "GKB-403": ErrorInfo("the file is not valid UTF-8", "convert it to UTF-8; nothing is guessed"),
    "GKB-404": ErrorInfo("the file ends too early", "fetch it again"),
    "GKB-405": ErrorInfo("the file is not of the expected shape", "see docs/ingest.md for the formats"),
    "GKB-406": ErrorInfo("a row has too few or too many fields", "correct the row in the source"),
    "GKB-407": ErrorInfo("a field has a wrong value", "correct the row in the source"),
    "GKB-408": ErrorInfo("the record has no text", "nothing to take"),
    "GKB-409": ErrorInfo("the record refers to something that is not there", "load the table or record it refers to"),
    "GKB-410": ErrorInfo("the input is over the size limit", "raise the limit named in the message"),
    "GKB-411": ErrorInfo("the record occurs twice", "the first one was kept"),
    "GKB-420": ErrorInfo("the file asks for a password", "save a copy without one"),
    "GKB-421": ErrorInfo("the file's parser was stopped or broke", "raise the limit named in the message where the file is sound"),
    "GKB-422": ErrorInfo("the document holds what looks like personal identifiers", "clean it, or choose another phi.policy"),
    # 5xx encoders and indexes
    "GKB-501": ErrorInfo("a vector is not finite or is all zeros", "the encoder is broken; check its model"),
    "GKB-502": ErrorInfo("the text is longer than the encoder takes", "split it; nothing is cut silently"),
    "GKB-503": ErrorInfo("the index was made by another model", "run `graphkb check --repair`, or configure the model that made it"),
    "GKB-504": ErrorInfo("the model's files are missing or changed", "install graphkb-med again; the message names the file"),
    "GKB-505": ErrorInfo("the index's files are damaged", "run `graphkb check --repair`"),
    "GKB-506": ErrorInfo("a vector has the wrong length", "the encoder and the index disagree; run `graphkb check --repair`"),
    # 6xx ingestion
    "GKB-602": ErrorInfo("the graph breaks an invariant", "run `graphkb check` for the list, `--repair` to mend what is derived"),
    "GKB-604": ErrorInfo("another process is writing", "wait for it, or look with `graphkb status`"),
    "GKB-605": ErrorInfo("the lexicon is missing, damaged or of another version", "run `graphkb check --repair`; it is built anew from the graph"),
    "GKB-606": ErrorInfo("a worker process ended while it prepared a document", "run the same command again; with ingest.workers = 1 nothing is done in workers"),
    "GKB-607": ErrorInfo("there is no such proposal in this scope", "`graphkb review merges list` shows the keys"),
    "GKB-608": ErrorInfo("the local concept is accepted as another concept already", "undo that decision first"),
    "GKB-609": ErrorInfo("a value cannot be written for the importer", "correct it in the source, or load it over Bolt"),
    "GKB-610": ErrorInfo("the output folder is not empty", "name a folder that is not there yet"),
    "GKB-611": ErrorInfo("the export is restricted", "raise --max-restriction where the licence allows it, or name other sources"),
    "GKB-620": ErrorInfo("the release does not sort after the one that the graph has", "name a newer one with --release, as 2026AB"),
    "GKB-621": ErrorInfo("an upgrade of the vocabulary is unfinished", "finish it with the command that began it, or take it back with `graphkb upgrade umls --rollback`"),
    "GKB-622": ErrorInfo("the upgrade was begun with another folder", "name the folder that began it, or take the upgrade back with --rollback"),
    "GKB-623": ErrorInfo("there is no upgrade to take back", "only the latest upgrade can be taken back"),
    "GKB-624": ErrorInfo("the vocabulary was changed after the upgrade", "taking it back would lose that; nothing was done"),
    "GKB-630": ErrorInfo("there is nothing of that name to retract in this scope", "look with `graphkb cypher`, and check --scope"),
    "GKB-631": ErrorInfo("the retraction left something behind", "run the same command again; no receipt was written"),
    "GKB-632": ErrorInfo("the receipts are not the chain that was written", "`graphkb retract --verify-receipts` names the first that differs"),
    # 7xx questions
    "GKB-701": ErrorInfo("the question is empty", "ask something"),
    "GKB-702": ErrorInfo("there is no such patient in this scope", "check the id and --scope"),
    "GKB-703": ErrorInfo("the graph is empty", "ingest something first: `graphkb ingest --help`"),
    "GKB-704": ErrorInfo("the question names a method that is not there", "see `graphkb ask --help`"),
    "GKB-705": ErrorInfo("the question is too long", "ask in at most 10,000 characters, options included"),
}


class GraphKBError(Exception):
    """Base of all errors that graphkb raises on purpose.

    Parameters
    ----------
    code : str
        A key of `CODES`.
    where : str
        The file and row, setting, query or key concerned. Never record text, parameter values or secrets.
    detail : str
        What exactly, in a few words, under the same rule.
    hint : str or None
        Overrides the code's usual next step.
    """

    retryable = False

    def __init__(self, code: str, where: str = "", detail: str = "", hint: str | None = None) -> None:
        info = CODES[code]
        self.code = code
        self.where = where
        self.detail = detail
        self.hint = hint if hint is not None else info.hint
        message = f"[{code}] {info.title}"
        if detail:
            message += f": {detail}"
        if where:
            message += f" ({where})"
        super().__init__(f"{message}. {self.hint[:1].upper()}{self.hint[1:]}." if self.hint else f"{message}.")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.code, self.where, self.detail, self.hint))

    def to_dict(self) -> dict[str, str]:
        """Return the error as a machine reads it."""
        return {"code": self.code, "title": CODES[self.code].title, "detail": self.detail,
                "where": self.where, "hint": self.hint}


class ConfigError(GraphKBError):
    """A setting or the installation."""


class StoreError(GraphKBError):
    """The database server."""


class StoreUnavailable(StoreError):
    """The server is down, starting, or the connection broke."""

    retryable = True


class TransientError(StoreError):
    """Deadlock, lock time-out, write conflict: run the transaction again."""

    retryable = True


class ConstraintViolation(StoreError):
    """Two writers created the same key at once: run the transaction again."""

    retryable = True


class StoreTimeout(StoreError):
    """A statement or transaction ran past its limit."""


class BatchTooLarge(StoreError):
    """A batch over the byte limit, refused before it was sent."""


class QueryError(GraphKBError):
    """A named query or its parameters."""


class ForbiddenQuery(QueryError):
    """Free Cypher that is not read-only."""


class InputError(GraphKBError):
    """A file, a row, a record."""


class EncoderError(GraphKBError):
    """Vectors and the models that make them."""


class IndexMismatch(EncoderError):
    """An index made by another model or pipeline version."""


class IngestError(GraphKBError):
    """A run of ingestion or the graph's invariants."""


class AnswerError(GraphKBError):
    """A question that cannot be taken."""
