"""Two runs beside each other in a real browser: a link opens the comparison, on a phone too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.settings import ROOT


@pytest.fixture(scope="module")
def runs(dashboard_home, tmp_path_factory):
    """The ids of one model's runs on the sample, scored in two ways."""
    output = tmp_path_factory.mktemp("reports")
    return [_run(dashboard_home, output, preset) for preset in ("pairlens", "minicons")]


def _run(home: Path, output: Path, preset: str) -> str:
    sample = ROOT / "data" / "samples" / "blimp"
    scored = ["--data_path", str(sample), "--model", "unigram-english", "--as", preset]
    done = subprocess.run(
        [sys.executable, "-m", "core", "zero-shot", "--task", "blimp", *scored, "--output_dir", str(output)],
        cwd=ROOT, env={**os.environ, "PAIRLENS_HOME": str(home), "PAIRLENS_OFFLINE": "1"},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    return next(line.removeprefix("run: ") for line in said.splitlines() if line.startswith("run: "))


def test_a_link_opens_the_comparison(visitor, runs):
    visitor.open(f"/results?view=compare&runs={','.join(runs)}")
    assert "on the same 100 pairs" in visitor.headline()
    assert visitor.reads("What differs in the recipe") and visitor.reads("sentence score")
    visitor.settle()
    assert len(visitor.all('[data-testid="stVegaLiteChart"]')) == 2
    assert visitor.errors() == []
    visitor.width(390, 844)
    visitor.settle()
    assert visitor.overflow() <= 0
