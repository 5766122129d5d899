"""Settings: file < environment < flags, each with its origin; errors name the place and never the value."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphkb import config
from graphkb.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    path = folder / "graphkb.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_need_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = config.load(environ={})
    assert settings.store.uri == "embedded"
    assert settings.scope == "local"
    assert settings.origins["store.uri"] == "default"


def test_file_then_environment_then_flag(tmp_path: Path) -> None:
    path = write(tmp_path, '[retrieval]\nk = 5\ncandidates = 50\nrrf_k = 30\n')
    settings = config.load(path, environ={"GRAPHKB_RETRIEVAL__CANDIDATES": "60", "GRAPHKB_RETRIEVAL__RRF_K": "31"},
                           retrieval__rrf_k=32)
    assert (settings.retrieval.k, settings.retrieval.candidates, settings.retrieval.rrf_k) == (5, 60, 32)
    assert settings.origins["retrieval.k"] == f"file {path}"
    assert settings.origins["retrieval.candidates"] == "environment GRAPHKB_RETRIEVAL__CANDIDATES"
    assert settings.origins["retrieval.rrf_k"] == "flag"


def test_a_data_dir_in_the_file_is_relative_to_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, 'data_dir = "kb"\n')
    assert config.load(path, environ={}).data_dir == tmp_path / "kb"


@pytest.mark.parametrize(("text", "code", "place"), [
    ("[store]\nuri = 3\n", "GKB-103", "store.uri"),
    ("[store]\nurl = 'x'\n", "GKB-102", "store.url"),
    ("[retrieval]\nk = 0\n", "GKB-103", "retrieval.k"),
    ("scope = 'No Good'\n", "GKB-105", "scope"),
    ("not toml", "GKB-101", "graphkb.toml"),
])
def test_what_is_wrong_is_named(tmp_path: Path, text: str, code: str, place: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config.load(write(tmp_path, text), environ={})
    assert caught.value.code == code
    assert place in str(caught.value)


def test_an_unknown_environment_variable_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"GKB-102.*GRAPHKB_STORE__URL"):
        config.load(environ={"GRAPHKB_STORE__URL": "x"})


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="GKB-101"):
        config.load(tmp_path / "none.toml", environ={})


def test_a_secret_is_masked_and_never_in_an_error() -> None:
    settings = config.load(environ={"GRAPHKB_STORE__PASSWORD": "s3cret-word"})
    shown = {row["name"]: row for row in config.show(settings)}
    assert shown["store.password"]["value"] == "********"
    assert "s3cret-word" not in repr(settings)
    with pytest.raises(ConfigError) as caught:
        config.load(environ={"GRAPHKB_STORE__PASSWORD": "s3cret-word", "GRAPHKB_STORE__HEAP_MB": "s3cret-word"})
    assert "s3cret-word" not in str(caught.value)


def test_the_default_file_loads_to_the_defaults(tmp_path: Path) -> None:
    path = write(tmp_path, config.default_file())
    loaded = config.load(path, environ={})
    assert loaded.model_copy(update={"data_dir": config.Settings().data_dir, "origins": {}}) == config.Settings()


def test_every_setting_has_a_meaning() -> None:
    rows = config.show(config.Settings())
    assert len(rows) == len(config.setting_names()) > 20
    assert all(row["what"] for row in rows)
    assert all(f"# {row['what']}" in config.default_file() for row in rows)


def test_languages_from_the_environment_are_a_list() -> None:
    assert config.load(environ={"GRAPHKB_INGEST__LANGUAGES": "ENG,SPA"}).ingest.languages == ["ENG", "SPA"]
