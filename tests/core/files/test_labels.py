"""The table of label systems: every cell against the written one, and the properties that all cells have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError, PolicyError
from pairlens.files import labels
from pairlens.files.labels import CODES, MODES, SYSTEMS, System, cell, decode, label_of, system_of, translate, turned

SITUATIONS = (labels.ONE_WAY, labels.BOTH_WAYS, labels.BACKWARD, labels.EXCLUDED, labels.UNRELATED)
ONE_WAY, BOTH_WAYS, BACKWARD, EXCLUDED, UNRELATED = SITUATIONS
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


@pytest.mark.parametrize(("data", "model"), CELLS)
def test_every_cell_is_that_of_the_written_table(data, model):
    rules, names = cell(data, model), tuple("sick" if name in SICK_LIKE else name for name in (data, model))
    assert (rules.gold_rule, rules.prediction_rule, rules.needs_reverse) == WRITTEN[names]
    assert rules.collapses == rules.gold_rule.startswith("C, N") == bool(rules.reason)
    assert len(rules.classes) > 1


def test_one_direction_counts_entailment_and_paraphrase_as_one_as_words_say():
    rules = cell("assin", "mnli", "forward")
    assert (rules.classes, rules.gold_rule, rules.needs_reverse) == (("entailment", "none"), "E, P → E", False)
    assert "cannot tell E from P when it is asked in one direction only" in rules.reason
    assert "direction" not in cell("sick", "assin", "forward").reason
    assert translate(["contradiction", "neutral", "entailment"], "sick", "assin") == ["none", "none", "entailment"]
    assert decode(["none", "paraphrase"], None, "sick", "assin") == ["none", "entailment"]
    assert cell("assin", "sick", "lenient").prediction_rule == f"{BOTH} · E(a,b) → E · C or N(a,b) → ∅"
    assert cell("sick", "assin").words == (
        "Gold contradiction and neutral count as none. E or P counts: either answer, entailment or paraphrase, is "
        "taken as entailment. The answer none counts as none."
    )
    assert "together with contradiction or neutral for (b, a) counts as entailment" in cell("assin", "sick").words


@pytest.mark.parametrize(
    ("gold", "forward", "reverse", "right"),
    [
        ("entailment", "entailment", "neutral", {"strict", "lenient"}),
        ("entailment", "entailment", "entailment", {"lenient"}),
        ("paraphrase", "entailment", "entailment", {"strict", "lenient"}),
        ("paraphrase", "entailment", "neutral", set()),
        ("paraphrase", "neutral", "entailment", set()),
        ("none", "contradiction", "neutral", {"strict", "lenient"}),
        ("none", "neutral", "entailment", {"strict", "lenient"}),
        ("none", "entailment", "contradiction", set()),
    ],
)
def test_answers_of_a_sick_model_on_assin(gold, forward, reverse, right):
    for mode in ("strict", "lenient"):
        assert (decode([forward], [reverse], "assin", "sick", mode, [gold]) == [gold]) == (mode in right)


def answers_of(system, situations):
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
def test_answers_have_one_class_lenient_only_adds_right_ones_and_gold_labels_stay_what_they_are(data, systems):
    of_data, of_model = systems
    rules, labels = cell(of_data, of_model), st.sampled_from(system_of(of_model).labels)
    forward, reverse, gold = data.draw(labels), data.draw(labels), data.draw(st.sampled_from(rules.classes))
    assert sum(rule.matches(forward, reverse) for rule in rules.rules) == 1
    modes = ("strict", "lenient")
    strict, lenient = (decode([forward], [reverse], of_data, of_model, mode, [gold])[0] for mode in modes)
    assert strict in rules.classes and lenient in (strict, gold)
    assert lenient == gold or strict != gold
    golds = data.draw(st.lists(st.sampled_from(system_of(of_data).labels)))
    classes = translate(golds, of_data, of_model)
    assert set(classes) <= set(rules.classes)
    assert rules.collapses or classes == golds


@given(st.data(), st.sampled_from(["assin2", *SICK_LIKE]))
def test_counting_paraphrase_as_entailment_before_or_after_is_the_same(data, model):
    labels = st.lists(st.sampled_from(system_of(model).labels), min_size=3, max_size=3)
    forward, reverse = data.draw(labels), data.draw(labels)
    merged = translate(decode(forward, reverse, "assin", model), "assin", model, "forward")
    assert merged == decode(forward, None, "assin", model, "forward")


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


@pytest.mark.parametrize(
    ("texts", "system", "label"),
    [("none|NONE| None |∅|nenhuma", "assin", "none"), ("implicação|Implicacao|acarretamento|E", "sick", "entailment"),
     ("contradição|Contradição|CONTRADICAO|C", "sick", "contradiction"), ("N", "sick", "neutral")],
)  # fmt: skip
def test_labels_are_read_in_any_case_as_codes_and_in_portuguese(texts, system, label):
    assert {label_of(text, system) for text in texts.split("|")} == {label}
    assert len(set(CODES.values())) == len(CODES)


@pytest.mark.parametrize(
    ("kind", "said", "call"),
    [
        (InputError, "no ASSIN 2 label 'paraphrase'", lambda: label_of("paraphrase", "assin2")),
        (InputError, "Did you mean 'neutral'", lambda: translate(["neutrall"], "sick", "assin")),
        (InputError, "no SICK label 'none'", lambda: decode(["none"], ["none"], "assin", "sick")),
        (PolicyError, "reverse predictions", lambda: decode(["entailment"], None, "assin", "sick")),
        (PolicyError, "gold label for each",
         lambda: decode(["entailment"], ["neutral"], "assin", "sick", "lenient")),
        (PolicyError, "Did you mean 'assin2'", lambda: cell("asin2", "sick")),
        (PolicyError, "no mode 'loose'", lambda: cell("assin", "sick", "loose")),
    ],
)  # fmt: skip
def test_what_is_unknown_or_missing_is_said(kind, said, call):
    with pytest.raises(kind, match=said):
        call()
