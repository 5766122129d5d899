"""The commands' common frame: global options, errors to exit codes, and how the parts are joined."""

from __future__ import annotations

import errno
import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

import typer

from graphkb import __version__
from graphkb.errors import ConfigError, GraphKBError, QueryError, StoreError

if TYPE_CHECKING:
    from graphkb.config import Settings
    from graphkb.kb import KnowledgeBase

P = ParamSpec("P")
OK, FAILED, USAGE, PARTIAL, PROBLEMS = 0, 1, 2, 3, 4

app = typer.Typer(
    name="graphkb",
    help="A medical knowledge graph from records, literature and vocabularies, and answers with checked evidence. "
         "Not a medical device.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@dataclass(slots=True)
class Globals:
    """Global options of this call."""

    config: Path | None = None
    data_dir: Path | None = None
    scope: str | None = None
    store: str | None = None
    quiet: bool = False

    def settings(self, **flags: Any) -> Settings:
        """Load the settings with the flags of this call."""
        from graphkb import config

        _quiet_logs()
        return config.load(self.config, data_dir=self.data_dir, scope=self.scope, store__uri=self.store, **flags)

    def open(self, **flags: Any) -> KnowledgeBase:
        """Open the knowledge base of this call."""
        from graphkb.kb import KnowledgeBase

        return KnowledgeBase(self.settings(**flags))


current = Globals()


def exits(command: Callable[P, int]) -> Callable[P, None]:
    """Make a command's returned number the exit code of the process."""

    @functools.wraps(command)
    def run_and_exit(*args: P.args, **kwargs: P.kwargs) -> None:
        raise typer.Exit(command(*args, **kwargs))

    return run_and_exit


def _version(value: bool) -> None:
    if value:
        typer.echo(f"graphkb {__version__}")
        raise typer.Exit(OK)


@app.callback()
def _frame(
    config: Annotated[Path | None, typer.Option(help="file of settings; without it ./graphkb.toml")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="where store, indexes and ledger lie")] = None,
    scope: Annotated[str | None, typer.Option(help="scope of your own records and questions")] = None,
    store: Annotated[str | None, typer.Option(help='"embedded" or a Bolt address')] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="no progress")] = False,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True,
                                          help="print the version")] = False,
) -> None:
    current.config, current.data_dir, current.scope = config, data_dir, scope
    current.store, current.quiet = store, quiet


@functools.cache
def _register() -> None:
    # each module adds its commands to `app`
    from graphkb.cli import admin, ask, cypher, demo, export, ingest, retract, review, update, upgrade

    for module in (admin, ingest, cypher, ask, export, retract, review, update, upgrade, demo):
        module.register(app)


def run(arguments: list[str]) -> int:
    """Run one command line; return the exit code."""
    _register()
    try:
        app(arguments, prog_name="graphkb")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else OK
    except GraphKBError as error:
        typer.echo(f"error: {error}", err=True)
        return USAGE if isinstance(error, ConfigError | QueryError) else FAILED
    except KeyboardInterrupt:
        typer.echo("stopped; run the same command again to resume", err=True)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return FAILED
    except OSError as error:  # the disk, where no part gave it a place
        name = errno.errorcode.get(error.errno or 0, type(error).__name__)
        typer.echo(f"error: {StoreError('GKB-212', where=str(error.filename or ''), detail=name)}", err=True)
        return FAILED
    return OK


def _quiet_logs() -> None:
    import structlog

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(30),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
