"""Strides and training under the preset `nlpscholar` against the numbers that NLPScholar's own code recorded.

`originals/nlpscholar_training.py` wrote them; what both are asked is in `originals/nlpscholar_training_cases.py`.
"""

import json
import math
from functools import cache
from pathlib import Path

import pytest

from pairlens.measures import surprisal
from pairlens.models import find
from pairlens.models.loading import load_tokenizer
from pairlens.policies import preset
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import recipe_of
from pairlens.studies.experiment.config import read_config
from pairlens.studies.experiment.running import ExperimentRun
from pairlens.training.chunks import cut
from pairlens.training.corpus import documents_of
from pairlens.types import Request
from tests.parity.originals import nlpscholar_training_cases as cases
from tests.thinned import one_of_each

pytestmark = pytest.mark.model

RECORD = json.loads((Path(cases.__file__).parent / "nlpscholar_training.json").read_text("utf-8"))
TOLERANCE = 2e-3
"""Bits; a surprisal here is about 10."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """`built(cases.strided_model, "gpt2")`: the folder of a model, made once."""
    return cache(lambda make, architecture: make(tmp_path_factory.mktemp("models") / architecture, architecture))


def surprisals(case, folder, **changes):
    """Bits of each token; a first one that nothing predicts is certain."""
    model, policy = find(folder), preset("nlpscholar").but(pll=case.pll, stride=case.stride or 0, **changes)
    (scores,) = SCORERS[default_for(model.kind)].open(model, policy).score([Request("", case.text)])
    return [0.0 if math.isnan(value) else surprisal(value) for value in scores.logprobs]


@pytest.mark.parametrize("name", cases.STRIDED)
def test_every_token_of_a_long_text_is_read_in_the_window_where_the_original_reads_it(name, built):
    case, expected = cases.STRIDED[name], RECORD["strided"][name]
    folder = built(cases.strided_model, case.architecture)
    assert surprisals(case, folder) == pytest.approx(expected, abs=TOLERANCE)
    full = surprisals(case, folder, windows="full")
    moved = sum(abs(one - other) > TOLERANCE for one, other in zip(full, expected, strict=True))
    assert (moved > 0) == (len(expected) > cases.WINDOW)


@pytest.mark.parametrize("name", one_of_each(reversed(cases.TRAINED), lambda name: name.partition(",")[0]))
def test_training_reads_the_same_pieces_and_says_the_same_perplexity(name, built, tmp_path, store):
    """Documents and options as a configuration gives them."""
    case, expected = cases.TRAINED[name], RECORD["trained"][name]
    model = find(built(cases.trained_model, case.architecture))
    config = {
        "exp": "MinimalPair", "mode": "train", "preset": "nlpscholar", "modelfpath": str(tmp_path / "trained"),
        "models": {f"hf_{model.kind}_model": [str(model.folder)]}, **cases.training_files(tmp_path), **case.keys,
    }  # fmt: skip
    (tmp_path / "config.yaml").write_text(json.dumps(config), "utf-8")
    experiment, _ = read_config(tmp_path / "config.yaml")
    run = ExperimentRun(experiment, lambda one: recipe_of(one.name, one.scorer), store, list, lambda _: None)
    perplexity, training = run.train(lambda _: None), experiment.training
    options = training.options
    documents = documents_of(training.texts, training.validation, "text", options.sample(), options.seed)
    tokenizer = load_tokenizer(model)
    for texts, part in ((documents.training, "train"), (documents.validation, "valid")):
        assert cases.summary(cut(texts, tokenizer, options)) == expected[part]
    left = sorted(path.name for path in (tmp_path / "trained").glob("checkpoint-*"))
    assert left == expected["checkpoints"]
    if case.architecture == "gpt2":  # the masks of the other are drawn anew in every process
        assert perplexity == pytest.approx(expected["perplexity"], rel=1e-3 if "learning" in name else 1e-5)
