from __future__ import annotations

import subprocess
import sys

import pytest

from graphkb import config
from graphkb.errors import ConfigError
from graphkb.store import open_store
from graphkb.store.endpoint import Endpoint


@pytest.mark.parametrize("uri", ["http://host:1", "host:7687", "bolt://", "bolt://a b", "neo4j://h/x\n", ""])
def test_a_wrong_address(uri: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_store(config.load(environ={}, store__uri=uri))
    assert (caught.value.code, caught.value.where) == ("GKB-103", "store.uri")


def test_an_endpoint_shows_no_secret() -> None:
    shown = repr(Endpoint("bolt://h", "d", ("u", "SECRET"), ("r", "SECRET")))
    assert "SECRET" not in shown


def test_importing_the_package_loads_no_driver_and_no_jvm() -> None:
    code = ("import sys, graphkb.store, graphkb.store.embedded; "
            "print({'neo4j', 'jpype', 'arcadedb_embedded'} & set(sys.modules))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
