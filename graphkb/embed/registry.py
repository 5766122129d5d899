"""Encoders by name. A new one is a new line here; importing this loads no model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graphkb.errors import ConfigError

if TYPE_CHECKING:
    from graphkb.config import Settings
    from graphkb.embed.encoder import Encoder


def _minilm(settings: Settings) -> Encoder:
    from graphkb.embed.minilm import MiniLM

    return MiniLM(settings.embed.threads, settings.embed.batch)


ENCODERS: dict[str, Callable[[Settings], Encoder]] = {
    "minilm-int8": _minilm,
}


def load_encoder(settings: Settings) -> Encoder:
    """Load the encoder that ``embed.encoder`` names.

    Raises
    ------
    ConfigError
        GKB-103: there is no encoder of that name.
    EncoderError
        GKB-504: its files are missing or changed.
    """
    try:
        make = ENCODERS[settings.embed.encoder]
    except KeyError:
        known = ", ".join(sorted(ENCODERS))
        raise ConfigError("GKB-103", where="embed.encoder", detail=f"known encoders: {known}") from None
    return make(settings)
