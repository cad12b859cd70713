"""The table of label systems: every cell against the written one, and the properties that all cells have."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, PolicyError
from core.files.labels import (
    BACKWARD,
    BOTH_WAYS,
    CODES,
    EXCLUDED,
    MODES,
    ONE_WAY,
    SYSTEMS,
    UNRELATED,
    System,
    cell,
    decode,
    label_of,
    system_of,
    translate,
    turned,
)

SITUATIONS = (ONE_WAY, BOTH_WAYS, BACKWARD, EXCLUDED, UNRELATED)
BOTH = "E(a,b) ∧ E(b,a) → P"
SICK_LIKE = ("sick", "snli", "mnli")
CELLS = [(data, model) for data in SYSTEMS for model in SYSTEMS]

WRITTEN = {
    ("assin", "assin"): ("unchanged", "unchanged", False),
    ("assin", "assin2"): ("unchanged", f"E(a,b) ∧ ∅(b,a) → E · {BOTH} · ∅(a,b) → ∅", True),
    ("assin", "sick"): ("unchanged", f"E(a,b) ∧ ¬E(b,a) → E · {BOTH} · C or N(a,b) → ∅", True),
    ("assin2", "assin"): ("unchanged", "E or P → E · ∅ → ∅", False),
    ("assin2", "assin2"): ("unchanged", "unchanged", False),
    ("assin2", "sick"): ("unchanged", "E → E · C or N → ∅", False),
    ("sick", "assin"): ("C, N → ∅", "E or P → E · ∅ → ∅", False),
    ("sick", "assin2"): ("C, N → ∅", "unchanged", False),
    ("sick", "sick"): ("unchanged", "unchanged", False),
}
"""The published table: what happens to the gold labels, to the answers, and whether (b, a) must be asked."""


def like_sick(name: str) -> str:
    return "sick" if name in SICK_LIKE else name


@pytest.mark.parametrize(("data", "model"), CELLS)
def test_every_cell_is_that_of_the_written_table(data, model):
    rules = cell(data, model)
    assert (rules.gold_rule, rules.prediction_rule, rules.needs_reverse) == WRITTEN[like_sick(data), like_sick(model)]
    assert rules.collapses == rules.gold_rule.startswith("C, N") == bool(rules.reason)
    assert len(rules.classes) > 1


def test_lenient_drops_the_condition_on_the_swapped_pair():
    assert cell("assin", "sick", "lenient").prediction_rule == f"{BOTH} · E(a,b) → E · C or N(a,b) → ∅"


def test_one_direction_counts_entailment_and_paraphrase_as_one():
    rules = cell("assin", "mnli", "forward")
    assert (rules.classes, rules.gold_rule, rules.needs_reverse) == (("entailment", "none"), "E, P → E", False)
    assert "cannot tell E from P when it is asked in one direction only" in rules.reason
    assert "direction" not in cell("sick", "assin", "forward").reason


def test_rules_are_told_in_words():
    assert cell("sick", "assin").words == (
        "Gold contradiction and neutral count as none. E or P counts: either answer, entailment or paraphrase, is "
        "taken as entailment. The answer none counts as none."
    )
    assert "together with contradiction or neutral for (b, a) counts as entailment" in cell("assin", "sick").words


@pytest.mark.parametrize(
    ("gold", "forward", "reverse", "strict", "lenient"),
    [
        ("entailment", "entailment", "neutral", True, True),
        ("entailment", "entailment", "entailment", False, True),
        ("paraphrase", "entailment", "entailment", True, True),
        ("paraphrase", "entailment", "neutral", False, False),
        ("paraphrase", "neutral", "entailment", False, False),
        ("none", "contradiction", "neutral", True, True),
        ("none", "neutral", "entailment", True, True),
        ("none", "entailment", "contradiction", False, False),
    ],
)
def test_answers_of_a_sick_model_on_assin(gold, forward, reverse, strict, lenient):
    for mode, right in (("strict", strict), ("lenient", lenient)):
        assert (decode([forward], [reverse], "assin", "sick", mode, [gold]) == [gold]) == right


def test_contradiction_is_right_where_the_model_says_none():
    assert translate(["contradiction", "neutral", "entailment"], "sick", "assin") == ["none", "none", "entailment"]
    assert decode(["none", "paraphrase"], None, "sick", "assin") == ["none", "entailment"]


def answers_of(system: str, situations: Sequence[str]) -> list[str]:
    """What somebody who knows the situations would say with the labels of a system."""
    labels = system_of(system).situations
    return [next(label for label, cases in labels.items() if case in cases) for case in situations]


@given(st.lists(st.sampled_from(SITUATIONS), min_size=1), st.sampled_from(CELLS), st.sampled_from(list(MODES)))
def test_who_knows_what_is_the_case_is_always_right(situations, systems, mode):
    data, model = systems
    gold = translate(answers_of(data, situations), data, model, mode)
    reverse = answers_of(model, [turned(case) for case in situations])
    assert decode(answers_of(model, situations), reverse, data, model, mode, gold) == gold


@given(st.data(), st.sampled_from(CELLS))
def test_every_answer_has_exactly_one_class_and_lenient_only_adds_right_ones(data, systems):
    of_data, of_model = systems
    labels = st.sampled_from(system_of(of_model).labels)
    forward, reverse = data.draw(labels), data.draw(labels)
    gold = data.draw(st.sampled_from(cell(of_data, of_model).classes))
    rules = cell(of_data, of_model)
    assert sum(rule.matches(forward, reverse) for rule in rules.rules) == 1
    strict, lenient = (
        decode([forward], [reverse], of_data, of_model, mode, [gold])[0] for mode in ("strict", "lenient")
    )
    assert strict in rules.classes
    assert lenient in (strict, gold)
    assert lenient == gold or strict != gold


@given(st.data(), st.sampled_from(["assin2", *SICK_LIKE]))
def test_counting_paraphrase_as_entailment_before_or_after_is_the_same(data, model):
    labels = st.lists(st.sampled_from(system_of(model).labels), min_size=3, max_size=3)
    forward, reverse = data.draw(labels), data.draw(labels)
    merged = translate(decode(forward, reverse, "assin", model), "assin", model, "forward")
    assert merged == decode(forward, None, "assin", model, "forward")


@given(st.data(), st.sampled_from(CELLS))
def test_translated_gold_labels_stay_what_they_are(data, systems):
    of_data, of_model = systems
    gold = data.draw(st.lists(st.sampled_from(system_of(of_data).labels)))
    classes = translate(gold, of_data, of_model)
    assert set(classes) <= set(cell(of_data, of_model).classes)
    if not cell(of_data, of_model).collapses:
        assert classes == gold


def test_a_system_is_added_by_data_alone(monkeypatch):
    situations = {"contradiction": (EXCLUDED,), "none": (UNRELATED, ONE_WAY, BOTH_WAYS, BACKWARD)}
    monkeypatch.setitem(SYSTEMS, "conflicts", System("conflicts", "Conflicts", situations))
    on_sick = cell("sick", "conflicts")
    assert (on_sick.classes, on_sick.gold_rule) == (("none", "contradiction"), "E, N → ∅")
    assert decode(["contradiction", "none"], None, "sick", "conflicts") == ["contradiction", "none"]
    assert cell("conflicts", "snli").prediction_rule == "C → C · E or N → ∅"
    assert len(cell("assin2", "conflicts").classes) == 1
    finer = {**system_of("assin").situations, "none": (UNRELATED, BACKWARD), "contradiction": (EXCLUDED,)}
    monkeypatch.setitem(SYSTEMS, "finer", System("finer", "Finer", finer))
    assert cell("finer", "sick").classes == ("entailment", "paraphrase", "none", "contradiction")
    assert decode(["neutral", "contradiction"], ["entailment"] * 2, "finer", "sick") == ["none", "contradiction"]


def test_labels_are_read_in_any_case_as_codes_and_in_portuguese():
    assert {label_of(text, "assin") for text in ("none", "NONE", " None ", "∅", "nenhuma")} == {"none"}
    assert {label_of(text, "sick") for text in ("implicação", "Implicacao", "acarretamento")} == {"entailment"}
    assert {label_of(text, "sick") for text in ("contradição", "CONTRADICAO", "C")} == {"contradiction"}
    assert [label_of(code, "sick") for code in "ECN"] == ["entailment", "contradiction", "neutral"]
    assert label_of("Contradição", "sick") == "contradiction"
    assert len(set(CODES.values())) == len(CODES)


def test_what_is_unknown_or_missing_is_said():
    with pytest.raises(InputError, match="no ASSIN 2 label 'paraphrase'"):
        label_of("paraphrase", "assin2")
    with pytest.raises(InputError, match="Did you mean 'neutral'"):
        translate(["neutrall"], "sick", "assin")
    with pytest.raises(InputError, match="no SICK label 'none'"):
        decode(["none"], ["none"], "assin", "sick")
    with pytest.raises(PolicyError, match="reverse predictions"):
        decode(["entailment"], None, "assin", "sick")
    with pytest.raises(PolicyError, match="gold label for each"):
        decode(["entailment"], ["neutral"], "assin", "sick", "lenient")
    with pytest.raises(PolicyError, match="Did you mean 'assin2'"):
        cell("asin2", "sick")
    with pytest.raises(PolicyError, match="no mode 'loose'"):
        cell("assin", "sick", "loose")
