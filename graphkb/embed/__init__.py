"""Text encoders. Importing this loads nothing heavy; `load_encoder` loads the model."""

from __future__ import annotations

from graphkb.embed.encoder import Encoder, ModelStamp, encode_pooled, token_windows, unit_rows
from graphkb.embed.registry import ENCODERS, load_encoder

__all__ = ["ENCODERS", "Encoder", "ModelStamp", "encode_pooled", "load_encoder", "token_windows", "unit_rows"]
