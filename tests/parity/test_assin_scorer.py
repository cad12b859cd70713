"""Our evaluations against the official scorer of ASSIN (Fonseca et al. 2016): what its code prints of small files."""

import json
from pathlib import Path

import pytest

from pairlens.cli import main
from tests.parity.originals.assin_cases import CASES, write

RECORD = json.loads((Path(__file__).parent / "originals" / "assin.json").read_text("utf-8"))


@pytest.mark.parametrize("name", list(CASES))
def test_the_numbers_are_those_that_the_scorer_prints(name, tmp_path, capsys):
    """Except where an answer is no label: the scorer counts it as wrong, we do so with -f only, and never if all
    are class numbers."""
    case, output = CASES[name], tmp_path / "numbers.json"
    gold, answers = write(case, tmp_path)
    command = ["nli", "evaluate", "--by-position", "--gold", str(gold), "--predictions", str(answers)]
    command += [] if case.guessed else ["--gold-system", case.system]
    command += ["--model-system", case.system, "-o", str(output), *(["-f"] if case.force else [])]
    if case.refused:
        assert main(command) == 2
        assert case.refused in capsys.readouterr().err
        return
    assert main(command) == 0
    found = {one["name"]: one for one in json.loads(output.read_text("utf-8"))["headlines"]}
    if case.guessed:  # then we say how the scorer's number comes about
        theirs = RECORD["printed"][name]["accuracy"]
        said = f"accuracy is {theirs:.2f}% instead of {found['accuracy']['value']:.2%}"
        assert said in capsys.readouterr().out.replace("\xa0", "")
        return
    ours = {
        "accuracy": round(100 * found["accuracy"]["value"], 2),
        "macro_f1": round(found["macro_f1"]["value"], 3),
        "pearson": round(found["pearson"]["value"], 3),
        "mse": round(found["pearson"]["more"]["mse"], 2),
    }
    assert ours == pytest.approx(RECORD["printed"][name], abs=1e-9)
    assert found["accuracy"]["n"] == len(case.gold)
