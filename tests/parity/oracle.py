"""Ask minicons (Misra 2022) about tiny random models and write its answers to minicons.json.

`make oracle` runs this in an environment that has minicons; the tests read the answers. Nothing of Pairlens is used
here but the recipe of the tiny models.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import torch
from minicons import scorer
from tiny import tiny_model

RECORD = Path(__file__).with_name("minicons.json")

SENTENCES = (
    "The keys to the cabinet are on the table",
    "The key to the cabinets is on the table",
    "Sarah laughs when the dogs that chase the cat fall asleep",
    "No author that the senators liked has ever written a book",
    "They think that nobody would ever believe the stories we tell",
    "Which boats has the boy who sold them painted so quickly",
    "Yesterday the teacher showed us a map of the mountains",
    "An unusually heavy snowfall surprised the inhabitants of the valley",
    "Marie has read the letters that arrived this morning",
    "cats sleep",
    "Silence",
    "The dog the cat the rat bit chased died",
    "Nobody who had seen the lighthouse would ever forget it",
    "Him and her were waiting outside when the train came in",
    "The book, which nobody had read, lay on the table.",
    "Where did she go? She went home!",
    "It rained; the match was cancelled.",
    "Les lettres que Marie a reçues hier étaient très courtes.",
    "The well-known writer couldn't finish the story.",
    "It costs 25 euros, or 30 with breakfast.",
)
"""Our own. Those without marks come first: minicons and Pairlens differ in whether a mark is part of a word."""

CAUSAL = {"gpt2": ({"bos_token": True}, {"bos_token": False}), "llama": ({},)}
"""Architectures and the ways of asking: the tokenizer of the tiny Llama puts its start symbol itself."""

MASKED = ("bert", "roberta")


def main() -> None:
    """Write the record."""
    with tempfile.TemporaryDirectory() as folder:
        answers = list(all_answers(Path(folder)))
        checkpoints = {name: weights(Path(folder) / name) for name in (*CAUSAL, *MASKED)}
    versions = {name: metadata.version(name).partition("+")[0] for name in ("minicons", "torch", "transformers")}
    record = {"versions": versions, "weights": checkpoints, "sentences": SENTENCES}
    lines = ",\n".join(json.dumps(answer, ensure_ascii=False) for answer in answers)
    head = json.dumps(record, indent=1, ensure_ascii=False).removesuffix("\n}")
    RECORD.write_text(f'{head},\n "answers": [\n{lines}\n]}}\n', "utf-8")
    print(f"{len(answers)} answers: {RECORD}")


def weights(folder: Path) -> str:
    """sha256 of a checkpoint's weights: other weights would give other answers."""
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def all_answers(folder: Path) -> Iterator[dict[str, Any]]:
    """One answer per model, way of asking and sentence; log-probabilities in nats."""
    for architecture, ways in CAUSAL.items():
        model = scorer.IncrementalLMScorer(str(tiny_model(folder / architecture, architecture)), "cpu")
        for way in ways:
            for bow in (False, True):
                yield from answers(architecture, model, {**way, "bow_correction": bow})
    for architecture in MASKED:
        model = scorer.MaskedLMScorer(str(tiny_model(folder / architecture, architecture)), "cpu")
        # minicons 0.3.39 calls a method that transformers 5 no longer has; the tokenizer itself does the same.
        type(model.tokenizer).batch_encode_plus = lambda self, *given, **named: self(*given, **named)
        for metric in ("original", "within_word_l2r"):
            yield from answers(architecture, model, {"PLL_metric": metric})


def answers(architecture: str, model: Any, way: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The scores of every token of every sentence, asked about one by one, and the sums from `sequence_score`."""
    for number, sentence in enumerate(SENTENCES):
        (tokens,) = model.token_score(sentence, **way)
        (total,) = model.sequence_score(sentence, reduction=lambda scores: scores.sum().item(), **way)
        yield {
            "model": architecture,
            "way": way,
            "sentence": number,
            "tokens": [token for token, _ in tokens],
            "logprobs": [round(value, 6) for _, value in tokens],
            "sum": round(total, 6),
        }


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
