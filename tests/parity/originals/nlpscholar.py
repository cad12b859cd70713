"""Run NLPScholar's own `evaluate` and `analyze` and keep its numbers in nlpscholar.json.

    PYTHONPATH=.:tests .venv-oracle/bin/python -m tests.parity.originals.nlpscholar FOLDER_OF_NLPSCHOLAR

What it imports for training only is replaced by empty modules. Nothing of Pairlens is used here.
"""

import contextlib
import io
import sys
import tempfile
import types
from pathlib import Path

import pandas as pd
import torch
import transformers

from tests.parity.originals import record
from tests.parity.originals.nlpscholar_cases import ANALYSES, BY_WORD, CASES, CONDITIONS, model, name_of, table

TOKEN = ["token", "sentid", "word", "wordpos", "punctuation", "surp"]
WORD = ["sentid", "wordpos_mod", "word_mod", "wordpos", "prob", "surp"]
PAIR = ["Unnamed: 0", "pairid", "expected", "unexpected", "acc"]


def main(original):
    sys.path.insert(0, str(original))
    for name in ("datasets", "evaluate"):
        sys.modules[name] = types.ModuleType(name)
    torch.set_num_threads(1)
    transformers.utils.logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as folder:
        found = {name: dict(answers(Path(folder) / str(place), name)) for place, name in enumerate(CASES)}
    record.write(__file__, ("torch", "transformers", "pandas"), cases=found)


def answers(folder, name):
    """The tokens of a case, then pairs, headers of files and words under every analysis."""
    from src.utils.load_analysis import load_analysis
    from src.utils.load_evaluations import load_evaluation

    folder.mkdir()
    case, keep_words = CASES[name], name in BY_WORD
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
            choice = name_of(analysis, roi=roi)
            yield f"pairs, {choice}", rows(folder / "results_bypair.tsv", PAIR)
            if keep_words and not roi and analysis["pred_measure"] == "surp" and analysis["word_summary"] == "mean":
                yield f"words, {choice}", rows(folder / "results_byword.tsv", WORD)
        if roi:
            yield "regions", rows(folder / "results_byword.tsv", ["sentid", "ROI"])
    for ending in ("", "_byword", "_bypair"):
        yield f"header{ending}", [(folder / f"results{ending}.tsv").read_text("utf-8").partition("\n")[0]]


def rows(path, columns):
    """The rows of a file, numbers to five digits."""
    found = pd.read_csv(path, sep="\t", keep_default_na=False)[columns]
    return [
        [float(f"{cell:.5g}") if isinstance(cell, float) else cell for cell in row]
        for row in found.to_numpy(object).tolist()
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
