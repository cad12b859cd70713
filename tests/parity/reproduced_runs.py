"""Runs of tiny random models on our samples, as the downloads that `reproduce` makes: what other programs are asked.

`make oracle` writes them with `python tests/parity/reproduced_runs.py FOLDER`; tests make the same runs again.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pairlens
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.result import read
from pairlens.files.tables import write_files
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset_for
from pairlens.reports.reproduction import FORMS, bundle
from pairlens.store import Store
from pairlens.tasks import TASKS


@dataclass(frozen=True)
class Case:
    """A tiny model, a task whose sample it is asked about, the preset and what differs from it."""

    architecture: str
    task: str
    preset: str
    tokenizer: str = ""
    changes: Mapping[str, str] = field(default_factory=dict)

    @property
    def sizes(self):
        """A window that holds the longest text."""
        return {"n_positions" if self.architecture == "gpt2" else "max_position_embeddings": 512}


_WITHIN_WORDS = {"pll": "within_word_l2r"}
CASES = {
    "whole texts": Case("gpt2", "blimp", "pairlens"),
    "whole texts after a space": Case("gpt2", "blimp", "lm-eval"),
    "without a start symbol": Case("gpt2", "blimp", "minicons"),
    "after contexts": Case("gpt2", "comps", "lm-eval"),
    "after contexts, llama": Case("llama", "comps", "pairlens"),
    "several choices": Case("llama", "stereoset", "lm-eval"),
    "masked": Case("bert", "blimp", "minicons", "byte-bpe-frame"),
    "masked, after contexts": Case("bert", "comps", "minicons", "byte-bpe-frame"),
    "masked, within words of the text": Case("albert", "qfrblimp", "pairlens"),
    "masked, within words of the tokenizer": Case("bert", "qfrblimp", "minicons", changes=_WITHIN_WORDS),
    "masked, within words of the tokenizer, after contexts": Case(
        "bert", "comps", "minicons", "byte-bpe-frame", _WITHIN_WORDS
    ),
}


def run(case, model, store):
    """The finished run of a case on the model in a folder."""
    task = TASKS[case.task]
    recipe = pairlens.recipe(str(model), policy=preset_for(case.preset, task.sets).but(**case.changes))
    *_, last = evaluate(task, ROOT / "data" / "samples" / case.task, recipe, store)
    return read(store, last.run_id)


def write(folder):
    """The model and the download of every case, in folders named by their numbers."""
    from tests.tiny import tiny_model

    store = Store(folder / "store", shipped=None)
    for number, (name, case) in enumerate(CASES.items()):
        model = tiny_model(folder / str(number) / "model", case.architecture, tokenizer=case.tokenizer, **case.sizes)
        files = bundle([run(case, model, store)], list(FORMS), store)
        write_files({folder / str(number) / "run" / path: content for path, content in files.items()})
        write_files({folder / str(number) / "name": name})
        yield name


if __name__ == "__main__":
    for written in write(Path(sys.argv[1]).resolve()):
        print(written)
