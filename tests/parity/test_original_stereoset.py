"""Our scores under `--as stereoset` against those of the original's own code, recorded by `make oracle`."""

import json
import math
from pathlib import Path

import pytest

from pairlens.cli import main
from pairlens.files.stereoset.predictions import read_predictions
from tests.parity.originals.stereoset_asked import ASKED, BETWEEN, WITHIN, frame, write
from tests.thinned import thinned

pytestmark = pytest.mark.model

TOLERANCE = 1e-5
RECORD = json.loads((Path(__file__).parent / "originals" / "stereoset.json").read_text("utf-8"))
NAMES = {
    "t5": "t5_T5LM_T5LM_d_en.json",
    "t5, case e": "t5__T5LM_e_en.json",
    "mt5, case c": "mt5_mT5LM_mT5LM_en.json",
    "gpt2, trained": "gpt2__ModelNSP_en.json",
    "bert, trained": "bert__BertNextSentence_en.json",
}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """The folder of the models, checkpoints and tables that both sides are asked about."""
    folder = tmp_path_factory.mktemp("asked")
    write(folder)
    for task in (WITHIN, BETWEEN):
        frame(task).to_json(folder / f"df_{task}_en.jsonl", orient="records", lines=True)
    return folder


@pytest.mark.parametrize("name", thinned(ASKED, 3))
def test_the_preset_makes_the_originals_scores(name, asked, tmp_path, capsys, own_pickles):
    one, arguments = ASKED[name], ["--as", "stereoset", "--case-no", ASKED[name].case, "-o", str(tmp_path / "out")]
    arguments += ["--pretrained-class", str(asked / one.model), "--tokenizer-name", one.tokenizer]
    for task, model in ((WITHIN, one.within), (BETWEEN, one.between)):
        table = (f"--{task}-df-file", str(asked / f"df_{task}_en.jsonl"), f"--{task}-model", model)
        arguments += table if model else (f"--skip-{task}",)
    if one.checkpoint:
        source, target = asked / one.checkpoint, tmp_path / "trained"
        assert main(["models", "convert", str(source), "--base", str(asked / one.model), "-o", str(target)]) == 0
        arguments += ["--nsp-model-path", str(target)]
    assert main(["stereoset", "predict", *arguments]) == 0, capsys.readouterr().err
    (file,) = (tmp_path / "out").iterdir()
    assert file.name == NAMES.get(name, file.name)
    ours = {id: score for scores in read_predictions(file).by_kind.values() for id, score in scores.items()}
    theirs = RECORD["scores"][name]
    assert ours.keys() == theirs.keys()
    for id, score in theirs.items():
        assert math.log(ours[id]) == pytest.approx(math.log(score), abs=TOLERANCE), id
    said = "has one formula, score(B|A) (case d), whichever case is chosen" in capsys.readouterr().err
    assert said == (name in ("t5, case e", "mt5, case c"))
