"""BioASQ snippets: how well `hybrid` finds a question's own snippets, against each of its lanes.

Corpus: the snippets of 1,000 BioASQ questions (Task 7B and 8B golden), distinct after ``strip()``; relevant to a
question are its own snippets. nDCG@10 has binary gains and the ideal of min(10, relevant) hits; recall@10 is hits over
all relevant snippets, as in the figures measured before (BM25 0.735 / 0.694, MiniLM int8 0.811 / 0.748, their plain
reciprocal-rank fusion 0.846 / 0.786).

The product's own code analyses, encodes, indexes, searches, fuses and hydrates. Bypassed: the chunker (a snippet is a
chunk; one over the encoder's limit gets the mean of its windows' vectors) and the database (chunks come from memory).
BM25's k1 and b and the fusion were chosen on Task 7B; Task 8B is the part not looked at.

    python benchmarks/bioasq_retrieval.py --data ../shared/data/bioasq_7_8
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphkb.config import RetrievalSettings, Settings
from graphkb.embed import Encoder, encode_pooled, load_encoder
from graphkb.model import Query
from retrieval.hybrid import HybridRetriever
from retrieval.index import ChunkIndex, Filter

K = 10
BOOTSTRAP = 2000


@dataclass
class Question:
    """A question, the task it is from, and the keys of its snippets."""

    text: str
    task: str
    relevant: set[str]


class Corpus:
    """Snippets as chunks, with the reads that the index and the hydration need."""

    def __init__(self, texts: list[str], vectors: np.ndarray) -> None:
        self._rows = {key(text): (text, vector) for text, vector in zip(texts, vectors, strict=True)}

    def read(self, name: str, **params: Any) -> list[dict[str, Any]]:
        """Answer as the named query would."""
        if name == "get_meta":
            return [{"properties": {"generation": 1}}]
        return [self._row(one) for one in params["keys"]]

    def stream(self, name: str, **params: Any) -> Iterator[dict[str, Any]]:
        """Yield the keys."""
        yield from ({"key": one} for one in self._rows)

    def _row(self, one: str) -> dict[str, Any]:
        text, vector = self._rows[one]
        return {"key": one, "text": text, "embedding": vector, "scope": "public", "tier": "literature", "document": one,
                "title": None, "published": None, "effective_from": None, "patient": None, "start": 0,
                "end": len(text), "section": "", "concepts": []}


def key(text: str) -> str:
    return "chk:" + hashlib.sha256(text.encode()).hexdigest()[:32]


def load(folder: Path) -> tuple[list[Question], list[str]]:
    questions, texts = [], {}
    for path in sorted(folder.glob("Task*/*.json")):
        task = path.parent.name[:5]
        for item in json.loads(path.read_text(encoding="utf-8"))["questions"]:
            snippets = [s["text"].strip() for s in item["snippets"]]
            texts.update(dict.fromkeys(snippets))
            questions.append(Question(item["body"].strip(), task, {key(s) for s in snippets}))
    return questions, list(texts)


def encoded(encoder: Encoder, texts: list[str], cache: Path) -> tuple[np.ndarray, int]:
    """Encode, or take the cached vectors of the same model and texts; return them and how many were pooled."""
    stamp = hashlib.sha256(json.dumps([str(encoder.stamp), texts]).encode()).hexdigest()[:16]
    path = cache / f"bioasq-{stamp}.npz"
    if not path.exists():
        limit = encoder.stamp.max_tokens
        long = [n for n, text in enumerate(texts) if encoder.count_tokens(text) > limit]
        short = [n for n in range(len(texts)) if n not in set(long)]
        vectors = np.zeros((len(texts), encoder.stamp.dimension), np.float32)
        vectors[short] = encoder.encode([texts[n] for n in short])
        for n in long:
            vectors[n] = encode_pooled(encoder, texts[n])[0]
        cache.mkdir(parents=True, exist_ok=True)
        np.savez(path, vectors=vectors, pooled=len(long))
    saved = np.load(path)
    return saved["vectors"], int(saved["pooled"])


def ndcg(found: list[str], relevant: set[str]) -> float:
    gain = sum(1 / math.log2(n + 2) for n, one in enumerate(found[:K]) if one in relevant)
    return gain / sum(1 / math.log2(n + 2) for n in range(min(K, len(relevant))))


def recall(found: list[str], relevant: set[str]) -> float:
    return len(set(found[:K]) & relevant) / len(relevant)


def interval(values: np.ndarray) -> tuple[float, float]:
    rng = np.random.default_rng(0)
    means = values[rng.integers(0, len(values), (BOOTSTRAP, len(values)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def measure(name: str, questions: list[Question], search: Callable[[str], list[str]]) -> list[dict[str, Any]]:
    start = time.perf_counter()
    found = [search(question.text) for question in questions]
    per_question = (time.perf_counter() - start) / len(questions)
    rows = []
    for part in ("all", "Task7", "Task8"):
        chosen = [(f, q) for f, q in zip(found, questions, strict=True) if part in ("all", q.task)]
        row: dict[str, Any] = {"method": name, "part": part, "questions": len(chosen),
                               "ms_per_question": round(1000 * per_question, 2)}
        for metric in (ndcg, recall):
            values = np.array([metric(f, q.relevant) for f, q in chosen])
            row[f"{metric.__name__}@10"] = round(float(values.mean()), 4)
            row[f"{metric.__name__}@10_95"] = [round(edge, 4) for edge in interval(values)]
        rows.append(row)
        print(f"{name:24} {part:6} {len(chosen):5}  nDCG@10 {row['ndcg@10']:.3f} {row['ndcg@10_95']}  "
              f"recall@10 {row['recall@10']:.3f} {row['recall@10_95']}  {row['ms_per_question']} ms", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared/data/bioasq_7_8")
    parser.add_argument("--build", type=Path, default=Path("build/bench"))
    options = parser.parse_args()
    questions, texts = load(options.data)
    if not questions:
        parser.error(f"no questions under {options.data}")
    encoder = load_encoder(Settings())
    vectors, pooled = encoded(encoder, texts, options.build)
    store, where = Corpus(texts, vectors), Filter(("public",))
    with tempfile.TemporaryDirectory() as folder:
        index = ChunkIndex.open(Path(folder), encoder.stamp)
        start = time.perf_counter()
        index.sync(store)  # type: ignore[arg-type]
        built = time.perf_counter() - start
        print(f"{len(questions)} questions, {len(texts)} snippets ({pooled} over the encoder's limit, pooled), "
              f"index built in {built:.1f} s", flush=True)

        def hybrid(fusion: str) -> Callable[[str], list[str]]:
            settings = RetrievalSettings.model_validate({"fusion": fusion})
            retriever = HybridRetriever(index, store, encoder, settings)  # type: ignore[arg-type]
            return lambda text: [e.id for e in retriever.retrieve(Query(text, ("public",), k=K))]

        rows = measure("bm25", questions, lambda text: [h.key for h in index.search_text(text, K, where)])
        rows += measure("vectors", questions, lambda text: [
            h.key for h in index.search_vectors(encode_pooled(encoder, text)[0], K, where)])
        rows += measure("hybrid, rrf", questions, hybrid("rrf"))
        rows += measure("hybrid, relative", questions, hybrid("relative"))
    report = {"id": "bioasq_retrieval", "questions": len(questions), "snippets": len(texts), "pooled": pooled,
              "encoder": str(encoder.stamp), "index_build_s": round(built, 2), "rows": rows,
              "gate": {"ndcg@10": 0.846, "recall@10": 0.786}}
    best = next(row for row in rows if row["method"] == "hybrid, relative" and row["part"] == "all")
    report["holds"] = best["ndcg@10"] >= 0.846 and best["recall@10"] >= 0.786
    options.build.mkdir(parents=True, exist_ok=True)
    (options.build / "bioasq.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    print("gate holds" if report["holds"] else "GATE MISSED")


if __name__ == "__main__":
    main()
