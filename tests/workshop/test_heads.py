"""The heads that ship: how they are made again, and what their cards say."""

import json
from dataclasses import replace

import pytest

from pairlens.errors import InputError
from pairlens.models import catalogue
from pairlens.models.heads import WEIGHTS
from pairlens.settings import settings
from workshop.cards import readme
from workshop.evaluation_sets import digests
from workshop.heads import recipes
from workshop.heads.recipes import MODELS, Places, make

pytestmark = pytest.mark.model


@pytest.fixture
def places(home, monkeypatch):
    for name, bundled in MODELS.items():
        monkeypatch.setitem(recipes.MODELS, name, replace(bundled, recipe=replace(bundled.recipe, rank=2)))
    return Places(models=settings().models, work=home / "text")


def test_a_head_is_made_with_its_card_or_it_is_said_what_is_lacking(places):
    folder = make("bilingual-entailment", places, base="bilingual-masked", languages=["en"], number=40)
    card = json.loads((folder / "card.json").read_text())
    assert card["language"] == "en"
    assert card["recipe"]["rank"] == 2
    assert card["evaluation_sets"] == digests()
    assert [source["licence"] for source in card["sources"]] == ["Apache-2.0"]
    assert (folder / "README.md").read_text() == readme(card)
    assert "bilingual-entailment" in {model.name for model in catalogue()}
    with pytest.raises(InputError, match="name their folder with --corpora"):
        make("bilingual-next-sentence", places, base="bilingual-masked")
    with pytest.raises(InputError, match="bilingual-entailment"):
        make("bilingual-entailement", places)


@pytest.mark.parametrize("name", MODELS)
def test_a_bundled_head_is_small(name):
    model = next(model for model in catalogue() if model.name == name and model.bundled)
    assert (model.folder / WEIGHTS).stat().st_size <= 3 << 20
    assert model.kind == MODELS[name].head.task
