"""docker/neo4j-local without a server: arguments, missing Java or Maven, ports, what `stop` may end."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "docker" / "neo4j-local" / "neo4j-local"


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """An environment with its own cache and no Java, no Maven."""
    empty = tmp_path / "bin"
    empty.mkdir()
    (tmp_path / "jvm").mkdir()
    return {"PATH": str(empty), "HOME": str(tmp_path), "GRAPHKB_CACHE": str(tmp_path / "cache dir"),
            "NEO4J_LOCAL_JVM_DIRS": str(tmp_path / "jvm")}


def call(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], env=environment, capture_output=True, text=True,
                          timeout=60, check=False)


def install_jdk(machine: dict[str, str], name: str, version: str, *programs: str) -> Path:
    home = Path(machine["NEO4J_LOCAL_JVM_DIRS"]) / name
    (home / "bin").mkdir(parents=True)
    (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    for program in programs:
        (home / "bin" / program).write_text("#!/bin/sh\necho started >&2\nexit 7\n")
        (home / "bin" / program).chmod(0o755)
    return home


def with_jars(machine: dict[str, str], release: str) -> None:
    (Path(machine["GRAPHKB_CACHE"]) / f"neo4j-{release}" / "lib").mkdir(parents=True)


def free_port() -> str:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


@pytest.mark.parametrize("arguments", [
    (), ("start",), ("start", "5"), ("start", "4", "--port", "9999"), ("start", "5", "--port", "80"),
    ("start", "5", "--port", "x"), ("start", "5", "--port", "70000"), ("start", "5", "--port", "-1"),
    ("start", "5", "--port", "9999", "--heap", "1"), ("start", "5", "--port", "9999", "--password", ""), ("stop",),
    ("start", "5", "--port", "٩٩٩٩"), ("restart", "--port", "9999"),
])
def test_wrong_arguments_are_usage_errors(machine: dict[str, str], arguments: tuple[str, ...]) -> None:
    done = call(machine, *arguments)
    assert done.returncode == 2
    assert "usage:" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(("release", "least"), [("5", "17"), ("2026", "21")])
def test_missing_java_is_named_with_the_way_to_get_it(machine: dict[str, str], release: str, least: str) -> None:
    done = call(machine, "start", release, "--port", free_port())
    assert done.returncode == 3
    assert f"needs a JDK {least} or later; found: none" in done.stderr
    assert f"openjdk-{least}-jdk-headless" in done.stderr


def test_too_old_java_and_a_jre_do_not_count(machine: dict[str, str]) -> None:
    install_jdk(machine, "old", "17.0.15", "java", "javac")
    install_jdk(machine, "jre", "21.0.1", "java")
    done = call(machine, "start", "2026", "--port", free_port())
    assert done.returncode == 3
    assert "found: 17 in" in done.stderr
    assert "21 in" in done.stderr
    assert "a JRE, no javac" in done.stderr


def test_missing_maven_is_named_and_leaves_nothing_behind(machine: dict[str, str]) -> None:
    install_jdk(machine, "j", "21", "java", "javac")
    done = call(machine, "start", "5", "--port", free_port())
    assert done.returncode == 3
    assert "mvn" in done.stderr
    assert not (Path(machine["GRAPHKB_CACHE"]) / "neo4j-5.26.30" / "lib").exists()


def test_a_broken_download_does_not_count(machine: dict[str, str]) -> None:
    home = install_jdk(machine, "j", "21", "java", "javac")
    base = Path(machine["GRAPHKB_CACHE"]) / "neo4j-5.26.30"
    (base / "part-left").mkdir(parents=True)
    maven = Path(machine["PATH"]) / "mvn"
    maven.write_text("#!/bin/sh\nexit 1\n")
    maven.chmod(0o755)
    machine["JAVA_HOME"] = str(home)
    done = call(machine, "start", "5", "--port", free_port())
    assert done.returncode == 1
    assert "Maven could not fetch org.neo4j:neo4j:5.26.30" in done.stderr
    assert sorted(p.name for p in base.iterdir()) == [".lock"]


def test_the_oldest_java_that_is_new_enough_is_used_and_its_failure_reported(machine: dict[str, str]) -> None:
    install_jdk(machine, "a25", "25.0.3", "java", "javac")
    chosen = install_jdk(machine, "b21", "21.0.9", "java", "javac")
    install_jdk(machine, "c17", "17.0.1", "java", "javac")
    (chosen / "bin" / "java").write_text("#!/bin/sh\necho chosen 21\nexit 7\n")
    with_jars(machine, "2026.08.1")
    port = free_port()
    done = call(machine, "start", "2026", "--port", port)
    assert done.returncode == 1
    assert "ended with code 7" in done.stderr
    assert "chosen 21" in done.stderr
    assert done.stdout == ""
    assert call(machine, "status", "--port", port).returncode == 1


def test_a_taken_port_is_an_error(machine: dict[str, str]) -> None:
    install_jdk(machine, "j", "21", "java", "javac")
    with_jars(machine, "5.26.30")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = call(machine, "start", "5", "--port", str(port))
    assert done.returncode == 1
    assert f"port {port} is taken by another program" in done.stderr


def test_stop_is_idempotent_and_never_ends_a_foreign_process(machine: dict[str, str]) -> None:
    port = free_port()
    assert call(machine, "stop", "--port", port).returncode == 0
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as stranger:
        record = Path(machine["GRAPHKB_CACHE"]) / "neo4j-local" / "run" / f"{port}.json"
        record.write_text(json.dumps({"pid": stranger.pid, "port": int(port), "release": "5.26.30", "conf": "/x",
                                      "home": "/x", "log": "/x"}))
        done = call(machine, "stop", "--port", port)
        assert done.returncode == 0
        assert "nothing of ours" in done.stderr
        assert stranger.poll() is None
        assert not record.exists()
        stranger.kill()


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"pid": "x"}', '{"pid": null}', '{"pid": 999999999}'])
def test_a_damaged_record_counts_for_nothing(machine: dict[str, str], content: str) -> None:
    record = Path(machine["GRAPHKB_CACHE"]) / "neo4j-local" / "run" / "9999.json"
    record.parent.mkdir(parents=True)
    record.write_text(content)
    assert call(machine, "status").returncode == 1
    assert call(machine, "stop", "--port", "9999").returncode == 0


def test_the_script_is_executable_and_its_files_are_there() -> None:
    assert os.access(SCRIPT, os.X_OK)
    assert {p.name for p in SCRIPT.parent.iterdir()} >= {"pom.xml", "Main.java", "README.md"}


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (("import",), 2, "required"), (("import", "4", "x"), 2, "invalid choice"),
    (("import", "5", "nowhere", "--port", "9999"), 1, "no import.args"),
    (("import", "5", "there"), 2, "--port or --home"), (("import", "5", "there", "--port", "9999"), 3, "JDK"),
])
def test_import_wants_a_folder_and_a_home(machine: dict[str, str], tmp_path: Path, arguments: tuple[str, ...],
                                          code: int, said: str) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "import.args").write_text("")
    done = call(machine, *(str(tmp_path / a) if a in ("there", "nowhere") else a for a in arguments))
    assert done.returncode == code
    assert said in done.stderr


def test_import_leaves_a_database_alone(machine: dict[str, str], tmp_path: Path) -> None:
    install_jdk(machine, "jdk-17", "17.0.1", "java", "javac")
    with_jars(machine, "5.26.30")
    (tmp_path / "import.args").write_text("")
    (tmp_path / "home" / "5.26.30" / "data" / "databases" / "neo4j").mkdir(parents=True)
    done = call(machine, "import", "5", str(tmp_path), "--home", str(tmp_path / "home"))
    assert done.returncode == 1
    assert "--fresh deletes it" in done.stderr
