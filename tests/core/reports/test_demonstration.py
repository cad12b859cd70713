"""The warning that an entailment model is for demonstration: only where a rule is as good, with the numbers."""

from __future__ import annotations

import json

import pytest

from core.reports.whole_set import for_demonstration
from core.settings import ROOT
from core.text.languages import Language

CARD = {
    "scores": {
        "sick": {"macro": 66.6, "baselines": {"majority": 56.9, "word overlap": 65.4}},
        "assin2": {"macro": 58.0, "baselines": {"majority": 50.0, "word overlap": 65.4, "hypothesis only": 58.0}},
        "nli_held_out": {"macro": 40.0, "baselines": {"word overlap": 46.7}},
    }
}


def test_the_sets_where_a_rule_is_as_good_are_named_with_both_numbers():
    assert for_demonstration(CARD) == (
        "For demonstration only: simple rules do better on ASSIN 2's test part "
        "(this model 58.0 %, word overlap 65.4 %, hypothesis only 58.0 %)."
    )
    portuguese = Language("pt")(for_demonstration(CARD))
    assert portuguese.startswith("Só para demonstração") and "58,0 %" in portuguese and "em comum" in portuguese


@pytest.mark.parametrize(
    "card", [{}, {"scores": {"sick": CARD["scores"]["sick"]}}, {"scores": {"blimp": {"macro": 1.0}}}]
)
def test_nothing_is_said_of_other_models(card):
    assert for_demonstration(card) == ""


def test_the_bundled_head_says_what_its_card_says():
    """Whatever was measured last: a set is named if and only if the best rule reaches the model there."""
    card = json.loads((ROOT / "data" / "models" / "bilingual-entailment" / "card.json").read_text("utf-8"))
    said = for_demonstration(card)
    for key, title in (("sick", "on SICK ("), ("sick_br", "SICK-BR ("), ("assin2", "ASSIN 2's test part (")):
        found = card["scores"][key]
        assert (title in said) == (max(found["baselines"].values()) >= found["macro"]), key
