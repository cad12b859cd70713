"""Start the reading task of BabyLM's pipeline on our cases, and keep the files that it writes as numbers.

`make oracle` runs this with the folder of evaluation-pipeline-2025; it needs torch, transformers, pandas and
statsmodels. For T5, a tokenizer attribute that no version of transformers has is put where the pipeline looks for it.
"""

from __future__ import annotations

import json
import runpy
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any
from unittest.mock import patch

from transformers import AutoProcessor, AutoTokenizer

from tests.parity.originals.babylm_reading_cases import CASES, COLUMNS_OF_TABLES, TABLES, Case, write_table
from tests.tiny import tiny_model

RECORD = Path(__file__).with_name("babylm_reading.json")
_PACKAGES = ("torch", "transformers", "pandas", "statsmodels")


def main(original: Path) -> None:
    """Write the record."""
    sys.path.insert(0, str(original))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        table = write_table(folder / "reading.csv")
        cases = {name: answer(case, folder, table) for name, case in CASES.items()}
    versions = {name: metadata.version(name).partition("+")[0] for name in _PACKAGES}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(case)}" for name, case in cases.items())
    RECORD.write_text(f'{{\n "versions": {json.dumps(versions)},\n "cases": {{\n{lines}\n }}\n}}\n', "utf-8")


def answer(case: Case, folder: Path, table: Path) -> dict[str, Any]:
    """The numbers of every file that the pipeline writes for a case."""
    model = folder / "models" / case.architecture
    if not model.exists():
        tiny_model(model, case.architecture)
    options = {"--data_path": table, "--model_path_or_name": model, "--backend": case.backend, "--output_dir": folder}
    arguments = [str(part) for pair in options.items() for part in pair]
    with patch.object(sys, "argv", ["run", *arguments]), patch.object(AutoProcessor, "from_pretrained", opened):
        runpy.run_module("evaluation_pipeline.reading.run", run_name="__main__")
    written = folder / case.architecture / "main" / "zero_shot" / case.backend / "reading"
    predictions = json.loads((written / "predictions.json").read_text("utf-8"))["reading"]["predictions"]
    return {
        "predictions": [[_short(one["pred"]), _short(one["prev_pred"])] for one in predictions],
        "contexts": [json.loads(line)["Sentence"] for line in _lines(written / "prediction.jsonl")],
        "correlations": [line.split("\t") for line in _lines(written / "correlations.txt")],
        "report": _lines(written / "report.txt"),
        **{name: [_regression(json.loads(line)) for line in _lines(written / name)] for name in TABLES},
    }


def opened(model: str, **_: Any) -> Any:
    """The tokenizer, with the names under which the pipeline asks for the sentinels of T5."""
    tokenizer = AutoTokenizer.from_pretrained(model)
    if tokenizer.mask_token is None:
        tokenizer.additional_special_tokens = ["<extra_id_0>"]
        tokenizer.additional_special_tokens_id = tokenizer.convert_tokens_to_ids(["<extra_id_0>"])
    return tokenizer


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def _regression(row: dict[str, Any]) -> list[Any]:
    if tuple(row) != COLUMNS_OF_TABLES:
        raise SystemExit(f"other columns: {', '.join(row)}")
    return [_short(value) if isinstance(value, float) else value for value in row.values()]


def _short(value: float) -> float | None:
    """Six digits, None for NaN."""
    return None if value != value else float(f"{value:.6g}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
