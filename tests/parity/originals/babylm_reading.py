"""Start the reading task of BabyLM's pipeline on our cases, and keep the files that it writes as numbers.

`make oracle` runs this with the folder of evaluation-pipeline-2025; it needs torch, transformers, pandas and
statsmodels. For T5, a tokenizer attribute that no version of transformers has is put where the pipeline looks for it.
"""

import json
import runpy
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

from transformers import AutoProcessor, AutoTokenizer

from tests.parity.originals import record
from tests.parity.originals.babylm_reading_cases import CASES, COLUMNS_OF_TABLES, TABLES, write_table
from tests.tiny import tiny_model


def main(original):
    sys.path.insert(0, str(original))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        table = write_table(folder / "reading.csv")
        cases = {name: answer(case, folder, table) for name, case in CASES.items()}
    record.write(__file__, ("torch", "transformers", "pandas", "statsmodels"), cases=cases)


def answer(case, folder, table):
    """The numbers of every file that the pipeline writes for a case."""
    architecture, backend, _ = case
    model = folder / "models" / architecture
    if not model.exists():
        tiny_model(model, architecture)
    options = {"--data_path": table, "--model_path_or_name": model, "--backend": backend, "--output_dir": folder}
    arguments = [str(part) for pair in options.items() for part in pair]
    with patch.object(sys, "argv", ["run", *arguments]), patch.object(AutoProcessor, "from_pretrained", opened):
        runpy.run_module("evaluation_pipeline.reading.run", run_name="__main__")
    written = folder / architecture / "main" / "zero_shot" / backend / "reading"
    predictions = json.loads((written / "predictions.json").read_text("utf-8"))["reading"]["predictions"]
    return {
        "predictions": [[_short(one["pred"]), _short(one["prev_pred"])] for one in predictions],
        "contexts": [json.loads(line)["Sentence"] for line in _lines(written / "prediction.jsonl")],
        "correlations": [line.split("\t") for line in _lines(written / "correlations.txt")],
        "report": _lines(written / "report.txt"),
        **{name: [_regression(json.loads(line)) for line in _lines(written / name)] for name in TABLES},
    }


def opened(model, **_):
    """The tokenizer, with the names under which the pipeline asks for the sentinels of T5."""
    tokenizer = AutoTokenizer.from_pretrained(model)
    if tokenizer.mask_token is None:
        tokenizer.additional_special_tokens = ["<extra_id_0>"]
        tokenizer.additional_special_tokens_id = tokenizer.convert_tokens_to_ids(["<extra_id_0>"])
    return tokenizer


def _lines(path):
    return path.read_text("utf-8").splitlines()


def _regression(row):
    if tuple(row) != COLUMNS_OF_TABLES:
        raise SystemExit(f"other columns: {', '.join(row)}")
    return [_short(value) if isinstance(value, float) else value for value in row.values()]


def _short(value):
    """Six digits, None for NaN."""
    return None if value != value else float(f"{value:.6g}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
