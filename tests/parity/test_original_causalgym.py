"""CausalGym's vanilla interchange (Arora, Jurafsky & Potts 2024): its own code's answers, recorded, and ours."""

import json

import pytest
from originals.causalgym_cases import LAYERS, PAIRS, RECORD, SITES, model

from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers._patch import Patch, apart
from pairlens.scorers._unlisted import PATCHED
from pairlens.scoring.recipe import Recipe
from pairlens.studies.inside.question import Cutter
from pairlens.types import Request

pytestmark = pytest.mark.model

TOLERANCE = 5e-5
ASKED = json.loads(RECORD.read_text("utf-8"))["cases"]


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    return Recipe(find(str(model(tmp_path_factory.mktemp("neox")))), PATCHED, Policy())


@pytest.mark.parametrize("component", SITES)
@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_every_layer_and_span(component, number, recipe):
    base, source, *labels = PAIRS[number]
    receiver, donor = "".join(base), "".join(source)
    cutter, scorer = Cutter(recipe), recipe.open()
    ends = [0, *(len("".join(base[: n + 1])) for n in range(len(base)))]
    places = [max(n for n, (_, stop) in enumerate(cutter.spans(receiver)) if stop <= end) for end in ends]
    assert places[0] == 0 and len(set(places)) == len(places)
    patch = Patch(component, donor, tuple((place, place) for place in places))
    scores = scorer.score([Request(receiver, label, patch.written()) for label in labels])
    ours = list(zip(*([one.logprobs[0] for one in apart(score)] for score in scores), strict=True))
    ours = ours[-LAYERS * len(places) :]  # without the embeddings, which CausalGym does not look at
    theirs = [tuple(values) for layer in range(LAYERS) for values in ASKED[f"{component} {number} {layer}"]]
    assert len(ours) == len(theirs) and len(set(theirs)) > 2
    for mine, other in zip(ours, theirs, strict=True):
        assert mine == pytest.approx(other, abs=TOLERANCE)
