"""Settings: ``graphkb.toml`` < ``GRAPHKB_*`` environment < flags, each value knowing where it came from.

The commented default file is made from the fields below, so that file, documentation and code cannot disagree.
Environment names join sections by two underscores: ``GRAPHKB_STORE__URI``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from graphkb.errors import ConfigError
from graphkb.ids import LOCAL, check_scope

FILE_NAME = "graphkb.toml"
ENV_PREFIX = "GRAPHKB_"
# Variables with the prefix that are not settings.
ENV_OTHER = frozenset({"GRAPHKB_REQUIRE", "GRAPHKB_TEST_URI", "GRAPHKB_TEST_USER", "GRAPHKB_TEST_PASSWORD",
                       "GRAPHKB_CONFIG", "GRAPHKB_CACHE", "GRAPHKB_SHARED_DATA"})

# settings that the environment gives as words with commas between them
_LISTS = frozenset({"ingest.languages", "ingest.umls_sources", "ingest.umls_exclude_sources", "ingest.umls_attributes"})


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class StoreSettings(_Section):
    """The database server."""

    uri: str = Field("embedded", description='"embedded", or the Bolt address of a Neo4j: "neo4j://host:7687"')
    user: str = Field("neo4j", description="user of the Neo4j; empty for a server without authentication")
    password: SecretStr = Field(SecretStr(""), description="better given as GRAPHKB_STORE__PASSWORD")
    database: str = Field("neo4j", description="database name on the Neo4j")
    timeout_s: float = Field(60.0, gt=0, description="time limit of one transaction, in seconds")
    max_batch_bytes: int = Field(8_000_000, gt=1000, description="largest batch sent at once, in bytes")
    batch_rows: int = Field(1000, gt=0, le=10_000, description="most rows in one batch")
    idle_stop_s: float = Field(600.0, ge=5, description="the embedded store stops after this long without a command")
    heap_mb: int = Field(768, ge=256, description="memory of the embedded store's Java heap, in MB")
    durable: bool = Field(True, description="flush each commit of the embedded store to disk (survives power loss)")


class ChunkSettings(_Section):
    """Semantic chunking."""

    threshold: Literal["percentile", "standard_deviation", "interquartile", "gradient", "none"] = Field(
        "percentile", description='how a topic break is decided from the distances between sentences; "none": by '
                                  "structure and size alone, without vectors of sentences")
    amount: float | None = Field(None, description="threshold's amount; unset: 95, 3, 1.5 or 95 by kind")
    min_tokens: int = Field(32, ge=1, description="smaller chunks are joined to a neighbour of the same section")
    max_tokens: int = Field(254, ge=8, description="no chunk is larger, counted by the encoder's tokenizer")


class EmbedSettings(_Section):
    """The text encoder."""

    encoder: str = Field("minilm-int8", description="name of the encoder that makes the vectors")
    threads: int = Field(0, ge=0, description="threads of the encoder; 0: one per core")
    batch: int = Field(32, ge=1, description="texts encoded at once")


class IngestSettings(_Section):
    """Reading and linking."""

    max_document_bytes: int = Field(20_000_000, gt=0, description="a larger document is refused (GKB-410)")
    languages: list[str] = Field(["ENG"], description="languages of the vocabulary used for display names and linking")
    workers: int = Field(0, ge=0, description="processes that prepare texts; 0: one per core but one; 1: none")
    pdf_timeout_s: float = Field(30.0, gt=0, le=3600, description="time limit of reading one PDF, in seconds")
    pdf_max_pages: int = Field(2000, ge=1, description="a PDF with more pages is refused (GKB-410)")
    pdf_max_bytes: int = Field(200_000_000, gt=0, description="a larger PDF is refused (GKB-410)")
    keep_versions: bool = Field(False, description="keep superseded texts for questions as of an earlier date")
    umls_sources: list[str] = Field([], description="vocabularies (SAB) to take from a UMLS folder; empty: all")
    umls_exclude_sources: list[str] = Field([], description="vocabularies (SAB) not to take from a UMLS folder")
    umls_restriction: int = Field(
        9, ge=0, le=9, description="highest restriction level (SRL) of a vocabulary that is taken; 0: only free ones")
    umls_attributes: list[str] = Field(
        ["NDC", "RXN_AVAILABLE_STRENGTH", "RXN_HUMAN_DRUG", "ATC_LEVEL"],
        description="attributes (ATN) of MRSAT to take; an NDC becomes a code of its concept")
    suppressible: bool = Field(False, description="take suppressible names of the vocabulary as aliases")


class IdentitySettings(_Section):
    """Proposals that a local concept is one of the vocabulary's."""

    lexical: float = Field(0.9, ge=0, le=1, description="least likeness of two names by their words")
    vector: float = Field(0.85, ge=0, le=1, description="least cosine of two names' vectors")


class PhiSettings(_Section):
    """Screening of user-tier text for personal identifiers."""

    policy: Literal["off", "tag", "mask", "refuse"] = Field(
        "tag", description='"tag": count them on the document; "mask": blank them out before anything is stored; '
                           '"refuse": take no document that has one (GKB-422)')
    presidio: bool = Field(False, description="run Presidio's own pattern recognisers, too (needs the extra `phi`)")


class RetrievalSettings(_Section):
    """Finding evidence."""

    k: int = Field(10, ge=1, le=200, description="pieces of evidence in the end")
    candidates: int = Field(200, ge=10, description="pieces that each part of a fusion brings")
    fusion: Literal["relative", "rrf"] = Field(
        "relative", description='"relative": scores scaled to the best of each list; "rrf": reciprocal ranks only')
    rrf_k: int = Field(60, ge=1, description="constant of reciprocal-rank fusion")
    backend: Literal["local", "store"] = Field(
        "local", description='"local": exact scan of this machine\'s index; "store": the database\'s own indexes')


class AnswerSettings(_Section):
    """Answering."""

    max_sentences: int = Field(6, ge=1, description="most sentences of an extractive answer")
    min_confidence: float = Field(0.5, ge=0, le=1, description="below it the answer is an abstention")


class Settings(_Section):
    """All settings."""

    data_dir: Path = Field(Path("kb"), description="where the embedded store, the indexes and the ledger lie")
    scope: str = Field(LOCAL, description="scope of user-tier input, and of questions beside `public`")
    store: StoreSettings = StoreSettings()
    chunk: ChunkSettings = ChunkSettings()
    embed: EmbedSettings = EmbedSettings()
    ingest: IngestSettings = IngestSettings()
    phi: PhiSettings = PhiSettings()
    identity: IdentitySettings = IdentitySettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    answer: AnswerSettings = AnswerSettings()
    # dotted name -> "default" | "file <path>" | "environment <NAME>" | "flag"
    origins: dict[str, str] = Field(default_factory=dict, exclude=True, repr=False)


def _leaves(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any, type[BaseModel]]]:
    for name, field in model.model_fields.items():
        if name == "origins":
            continue
        annotation = field.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from _leaves(annotation, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field, model


def setting_names() -> list[str]:
    """Return the dotted names of all settings, in the order of the file."""
    return [name for name, _, _ in _leaves(Settings)]


def _set(tree: dict[str, Any], dotted: str, value: Any) -> None:
    *parents, last = dotted.split(".")
    for part in parents:
        tree = tree.setdefault(part, {})
    tree[last] = value


def _flatten(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _from_file(path: Path, values: dict[str, Any], origins: dict[str, str]) -> None:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError("GKB-101", where=str(path), detail="no such file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError("GKB-101", where=str(path), detail=str(error)) from None
    known = set(setting_names())
    for name, value in _flatten(data):
        if name not in known:
            raise ConfigError("GKB-102", where=f"{path}: {name}")
        if name == "data_dir" and isinstance(value, str):
            # relative to the file, so that a command works from any folder
            value = str((path.parent / value).resolve())
        _set(values, name, value)
        origins[name] = f"file {path}"


def _from_environment(environ: Mapping[str, str], values: dict[str, Any], origins: dict[str, str]) -> None:
    known = {ENV_PREFIX + name.replace(".", "__").upper(): name for name in setting_names()}
    for variable in sorted(environ):
        if not variable.startswith(ENV_PREFIX) or variable in ENV_OTHER:
            continue
        if variable not in known:
            raise ConfigError("GKB-102", where=f"environment {variable}")
        text = environ[variable]
        _set(values, known[variable], text.split(",") if known[variable] in _LISTS else text)
        origins[known[variable]] = f"environment {variable}"


def load(path: Path | None = None, *, environ: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """Load the settings.

    Parameters
    ----------
    path : Path, optional
        The file; without it ``GRAPHKB_CONFIG``, then ``graphkb.toml`` in the working directory where there is one.
    environ : mapping, optional
        The environment; the process's own by default.
    **flags
        Values from the command line by dotted name (dots as ``__``); None means not given.

    Raises
    ------
    ConfigError
        GKB-101 (unreadable), GKB-102 (unknown name), GKB-103 (wrong value), GKB-105 (scope).
    """
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    origins = dict.fromkeys(setting_names(), "default")
    if path is None and environ.get("GRAPHKB_CONFIG"):
        path = Path(environ["GRAPHKB_CONFIG"])
    if path is None and Path(FILE_NAME).is_file():
        path = Path(FILE_NAME)
    if path is not None:
        _from_file(path, values, origins)
    _from_environment(environ, values, origins)
    for name, value in flags.items():
        dotted = name.replace("__", ".")
        if value is None:
            continue
        if dotted not in origins:
            raise ConfigError("GKB-102", where=dotted)
        _set(values, dotted, value)
        origins[dotted] = "flag"
    try:
        settings = Settings.model_validate({**values, "origins": origins})
    except ValidationError as error:
        # only the place and the rule: the value itself may be a secret
        first = error.errors(include_input=False, include_url=False)[0]
        dotted = ".".join(str(part) for part in first["loc"])
        raise ConfigError("GKB-103", where=f"{dotted} ({origins.get(dotted, 'unknown')})",
                          detail=first["msg"]) from None
    check_scope(settings.scope)
    return settings


def show(settings: Settings) -> list[dict[str, Any]]:
    """Return every setting with its value (secrets masked), origin and meaning."""
    rows = []
    for name, field, _ in _leaves(Settings):
        value: Any = settings
        for part in name.split("."):
            value = getattr(value, part)
        if isinstance(value, SecretStr):
            value = "********" if value.get_secret_value() else ""
        elif isinstance(value, Path):
            value = str(value)
        rows.append({"name": name, "value": value, "origin": settings.origins.get(name, "default"),
                     "what": field.description})
    return rows


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value}"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def default_file() -> str:
    """Return the text of a commented ``graphkb.toml`` in which every setting stands with its default."""
    lines = ["# graphkb settings. Environment variables (GRAPHKB_STORE__URI=...) and flags override this file.",
             "# A setting that is commented out is unset."]
    section = ""
    for row in show(Settings()):
        head, _, leaf = row["name"].rpartition(".")
        if head != section:
            section = head
            title = (Settings.model_fields[head].annotation.__doc__ or "").strip()
            lines += ["", f"[{head}]  # {title}"]
        lines.append(f"# {row['what']}")
        if row["name"] in ("store.password", "chunk.amount"):
            lines.append(f"# {leaf} = ")
        else:
            lines.append(f"{leaf} = {_toml(row['value'])}")
    return "\n".join(lines) + "\n"
