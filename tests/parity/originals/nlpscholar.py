"""Run NLPScholar's own `evaluate` and `analyze` and keep its numbers in nlpscholar.json.

    PYTHONPATH=.:tests .venv-oracle/bin/python -m tests.parity.originals.nlpscholar FOLDER_OF_NLPSCHOLAR

What it imports for training only is replaced by empty modules. Nothing of Pairlens is used here.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import types
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd
import torch
import transformers

from tests.parity.originals.nlpscholar_cases import (
    ANALYSES,
    BY_WORD,
    CASES,
    CONDITIONS,
    Case,
    model,
    name_of,
    table,
)

RECORD = Path(__file__).with_suffix(".json")
TOKEN = ["token", "sentid", "word", "wordpos", "punctuation", "surp"]
WORD = ["sentid", "wordpos_mod", "word_mod", "wordpos", "prob", "surp"]
PAIR = ["Unnamed: 0", "pairid", "expected", "unexpected", "acc"]


def main(original: Path) -> None:
    """Write the record."""
    sys.path.insert(0, str(original))
    for name in ("datasets", "evaluate"):
        sys.modules[name] = types.ModuleType(name)
    torch.set_num_threads(1)
    transformers.utils.logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as folder:
        found = {name: dict(answers(Path(folder) / str(place), *case)) for place, (name, *case) in enumerate(asked())}
    versions = {name: metadata.version(name).partition("+")[0] for name in ("torch", "transformers", "pandas")}
    lines = ",\n".join(
        f"  {json.dumps(name)}: {{\n"
        + ",\n".join(f"   {json.dumps(key)}: {compact(part)}" for key, part in one.items())
        + "\n  }"
        for name, one in found.items()
    )
    RECORD.write_text(f'{{\n "versions": {json.dumps(versions)},\n "cases": {{\n{lines}\n }}\n}}\n', "utf-8")
    print(f"{len(found)} cases: {RECORD}")


def asked() -> Iterator[tuple[str, Case, bool]]:
    """Each case, and whether its words are kept."""
    return ((name, case, name in BY_WORD) for name, case in CASES.items())


def answers(folder: Path, case: Case, keep_words: bool) -> Iterator[tuple[str, Any]]:
    """The tokens of a case, then pairs, headers of files and words under every analysis."""
    from src.utils.load_analysis import load_analysis
    from src.utils.load_evaluations import load_evaluation

    folder.mkdir()
    tables = {roi: table(folder / f"{roi}.tsv", roi=roi) for roi in (True, False)}
    keys = {
        "exp": "MinimalPair", "models": {case.kind: [str(model(folder / "model", case))]}, "PLL_type": case.pll,
        "device": "cpu", "verbose": False, "predfpath": str(folder / "predictions.tsv"), "conditions": CONDITIONS,
        "save": "by_word, by_pair, by_cond", "resultsfpath": str(folder / "results.tsv"),
    }  # fmt: skip
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        load_evaluation({**keys, "datafpath": str(tables[True])}).evaluate()
    yield "tokens", rows(folder / "predictions.tsv", TOKEN)
    for roi, path in tables.items():
        for analysis in ANALYSES:
            with contextlib.redirect_stdout(io.StringIO()):
                load_analysis({**keys, **analysis, "datafpath": str(path)}).analyze()
            name = name_of(analysis, roi=roi)
            yield f"pairs, {name}", rows(folder / "results_bypair.tsv", PAIR)
            if keep_words and not roi and analysis["pred_measure"] == "surp" and analysis["word_summary"] == "mean":
                yield f"words, {name}", rows(folder / "results_byword.tsv", WORD)
        if roi:
            yield "regions", rows(folder / "results_byword.tsv", ["sentid", "ROI"])
    for ending in ("", "_byword", "_bypair"):
        yield f"header{ending}", [(folder / f"results{ending}.tsv").read_text("utf-8").partition("\n")[0]]


def rows(path: Path, columns: list[str]) -> list[list[Any]]:
    """The rows of a file, numbers to five digits."""
    found = pd.read_csv(path, sep="\t", keep_default_na=False)[columns]
    return [
        [float(f"{cell:.5g}") if isinstance(cell, float) else cell for cell in row]
        for row in found.to_numpy(object).tolist()
    ]


def compact(part: list[Any]) -> str:
    return json.dumps(part, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
