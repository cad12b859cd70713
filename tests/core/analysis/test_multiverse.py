"""One decision under every defensible policy."""

import math

import pytest

from pairlens.analysis import multiverse as under
from pairlens.analysis.multiverse import multiverse, policies_for, printable
from pairlens.errors import InputError
from pairlens.policies import PRESETS, Policy, preset
from pairlens.reports.multiverse.matching import COLUMNS, match
from pairlens.reports.multiverse.wording import matched
from pairlens.scorers import SCORERS
from tests.scored import scores

CAUSAL, MASKED = SCORERS["causal"], SCORERS["masked"]


def pair(policy):
    """B's first token is likelier, the rest of A is; B is longer."""
    if policy.first_token in ("none", "one", "tokenizer"):  # this tokenizer puts no symbol first
        return scores(math.nan, -2.0, -4.5), scores(math.nan, -2.0, -4.0, -1.0)
    return scores(-3.25, -2.0, -4.5), scores(-2.0, -2.0, -4.0, -1.0)


@pytest.fixture
def table():
    return multiverse({policy: pair(policy) for policy in policies_for(CAUSAL)}, CAUSAL)


def test_every_preset_is_among_the_policies():
    for kind in (CAUSAL, MASKED):
        policies = policies_for(kind)
        assert len({policy.name for policy in policies}) == len(policies)
        table = multiverse({policy: pair(policy) for policy in policies}, kind)
        named = ", ".join(table["presets"]).split(", ")
        assert {*named} - {""} == {*PRESETS} - {"babylm-2025-05"}, "which frames texts as no policy here does"
        assert table["presets"][0].startswith("pairlens")


@pytest.mark.parametrize("kind", [CAUSAL, MASKED])
def test_a_preset_that_frames_texts_is_named_where_it_is_the_base(kind):
    policies = policies_for(kind, PRESETS["babylm-2025-05"])
    table = multiverse({policy: pair(policy) for policy in policies}, kind)
    assert table["presets"].tolist() == ["babylm-2025-05", ""]
    assert ["framed texts (May 2025) · " in name for name in table["policy"]] == [True, True]
    assert not any("cut into tokens alone" in name for name in table["policy"])
    assert "words cut into tokens alone" in policies_for(kind, Policy(tokens="rewritten"))[0].name


def test_policies_differ_only_where_scorers_read_them_and_a_base_that_is_otherwise_left_out_stays():
    assert len(policies_for(CAUSAL)) == 11
    assert {policy.pll for policy in policies_for(CAUSAL)} == {"within_word_l2r"}
    assert {(p.pll, p.sentence_value) for p in policies_for(MASKED)} == {
        (pll, value) for pll in ("within_word_l2r", "original") for value in ("sum", "mean")
    }
    assert len(policies_for(MASKED)) == 6
    of_words = [policy for policy in policies_for(MASKED) if policy.words_by == "tokenizer"]
    assert [policy.pll for policy in of_words] == ["within_word_l2r"] * 2
    assert len(policies_for(MASKED, PRESETS["minicons"])) == 6
    assert len(policies_for(SCORERS["unigram"])) == 2
    # Reading left to right and an unscored first word are for reading times; in sums `one` is the same as `none`.
    assert "left_to_right" not in {policy.pll for policy in policies_for(MASKED)}
    assert "bos-unscored" not in {policy.first_token for policy in policies_for(CAUSAL)}
    for kind, base, n in (
        (MASKED, Policy(pll="left_to_right"), 8),
        (CAUSAL, Policy(first_token="bos-unscored"), 13),
        (CAUSAL, Policy(first_token="one"), 12),
    ):
        policies = policies_for(kind, base)
        assert policies[0].but(name=base.name) == base and len(policies) == n


@pytest.mark.parametrize("name", PRESETS)
def test_the_base_policy_comes_first(name):
    base = preset(name)
    for kind in (CAUSAL, MASKED):
        policies = policies_for(kind, base)
        assert policies[0].but(name=name) == base
        assert {policy.text for policy in policies} == {base.text}


def test_values_decisions_and_the_verdict(table):
    by_preset = table.set_index("presets")
    values = {name: row[["value_a", "value_b"]].tolist() for name, row in by_preset.iterrows() if name}
    assert values["pairlens"] == [-9.75, -9.0] and values["babylm-2025"] == [-6.5, -7.0]
    assert by_preset.loc[["pairlens", "babylm-2025"], "decision"].tolist() == ["B", "A"]
    assert values["minicons"] == [-3.25, pytest.approx(-7 / 3)]
    assert by_preset.loc["minicons", "unit"] == "nats per token"
    assert values["nlpscholar"] == [pytest.approx(-6.5 / 3), -1.75]
    assert list(table["holds"]) == list(table["decision"] == "B")
    assert under.verdict(table[table["holds"]]) == "Holds under all 9 policies."
    assert under.verdict(table) == (
        "Holds under 9 of 11 policies. Not under the others: A under 'first token not scored · sum'; A under 'first "
        "token as the tokenizer frames it · sum'."
    )
    words = ["A", "B", "tie", "undecided", "undecided", "none"]
    assert [under.decision(x) for x in (2.0, -2.0, 0.0, 5e-5, -1e-4, math.nan)] == words


def test_a_published_number_finds_its_policy_by_the_digits_that_are_printed(table):
    ways = printable(table)
    found = match(ways, "6.50")
    assert len(found.hits) == 2 and set(found.hits["presets"]) == {"babylm-2025", ""}
    assert found.table.iloc[0][["of", "unit"]].tolist() == ["A", "nats"]
    assert matched(found).startswith(f"2 of {len(ways)} ways give 6.50: A in nats, first token not scored · sum; ")
    bits = match(ways, "-14,07").table  # 9.75 nats; a comma and a sign will do
    assert bits.iloc[0][["presets", "of", "unit"]].tolist() == ["pairlens", "A", "bits"]
    perplexities = ways[ways["unit"] == "perplexity"]
    assert "perplexity" in set(match(ways, f"{math.exp(3.25):.1f}").hits["unit"])
    assert all("per token" in policy for policy in perplexities["label"])
    assert set(perplexities["of"]) == {"A", "B"}
    assert match(ways, "0.75").hits["of"].tolist()[0] == "difference"
    for typed in ("abc", "", "1.2.3", "1e5"):
        with pytest.raises(InputError, match=r"is not a number such as 39\.88"):
            match(ways, typed)


def test_nothing_scored_has_no_decision_and_values_by_length_are_rows_of_the_first_policy():
    one = scores(math.nan)
    table = multiverse({Policy(first_token="none"): (one, one)}, CAUSAL)
    assert table["decision"].tolist() == ["none"]
    assert printable(table).empty and match(printable(table), "1").hits.empty
    assert printable(table).columns.tolist() == [*COLUMNS]
    scored = {policy: pair(policy) for policy in policies_for(CAUSAL)}
    by_length = [under.ByLength("per word", "nats per word", (-3.0, -2.5))]
    table = multiverse(scored, CAUSAL, by_length)
    last = table.iloc[-1]
    assert len(table) == 12 and last["policy"].endswith(" · per word")
    assert last[["difference", "unit", "decision", "holds"]].tolist() == [-0.5, "nats per word", "B", True]
    assert under.verdict_of_several([table, table[table["holds"]]]) == "1 of 2 decisions holds under all 12 policies."
    assert under.firm_decisions(0, 1, "12 policies") == "The only decision does not hold under all 12 policies."
