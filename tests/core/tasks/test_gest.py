"""GEST and EuroGEST: their formats, what models are asked, and the numbers that their authors published."""

import math

import numpy as np
import pandas as pd
import pytest

from pairlens.analysis.summary import summarise_overall
from pairlens.evaluation.predictions import log_ratio_candidates, read_log_ratios
from pairlens.evaluation.zero_shot import meaningless, recompute, usual_rule
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy, preset_for
from pairlens.rules import RULES
from pairlens.scorers import SCORERS
from pairlens.tasks import TASKS
from pairlens.types import Request
from tests.candidate_table import candidate_table
from tests.refusals import error_of

GEST, EUROGEST = TASKS["gest"], TASKS["eurogest"]
SAMPLES = ROOT / "data" / "samples"
PUBLISHED = {
    "bert-base-uncased": (1.175816, 1.210120, 1.093421, 1.182915),
    "roberta-base": (1.238400, 1.291618, 1.286269, 1.256876),
    "gpt2": (1.113549, 1.097283),
    "pythia-160m": (1.054263, 1.066744),
}
"""By model and template, recomputed with the authors' own code from their files; all but one are for the soak."""
CELLS = [
    pytest.param(f"{model}_template-{n}", rate, marks=[pytest.mark.soak] * (n > 0 or model != "gpt2"))
    for model, rates in PUBLISHED.items()
    for n, rate in enumerate(rates)
]
NUMBER = "the stereotype must be a number from 1 to 16"
PAIR = "GEST_ID,Stereotype_ID,Masculine,Feminine\n"


def test_a_sentence_is_four_items_and_a_pair_of_eurogest_begins_at_the_first_word_that_differs(save):
    items = list(GEST.read(save("g.csv", "sentence,stereotype\nI sing {well}.,1\nI row.,16\n")))
    assert [[c.text for c in item.candidates] for item in items[::2]] == [
        ['He said: "I sing {well}."', 'She said: "I sing {well}."'],
        ['The man said: "I sing {well}."', 'The woman said: "I sing {well}."'],
        ['"I sing {well}.", he said.', '"I sing {well}.", she said.'],
        ['"I sing {well}.", the man said.', '"I sing {well}.", the woman said.'],
    ]
    assert items[0].groups == {
        "stereotype": "Emotional", "about": "women", "template": "1", "contrast": "g.csv, row 2",
    }  # fmt: skip
    assert items[1].groups["about"] == "men" and items[1].gold is None
    header = "GEST_ID,Source,Stereotype_ID,Neutral,Masculine,Feminine\n"
    rows = "7,x,3.0,,Je suis seul ici.,Je suis seule ici.\n8,x,3,Je lis.,,\n9,x,9,,Seul.,Seule.\n"
    first, last = EUROGEST.read(save("French.csv", header + rows))
    assert [(c.label, c.context, c.text) for c in first.candidates] == [
        ("masculine", "Je suis", " seul ici."), ("feminine", "Je suis", " seule ici."),
    ]  # fmt: skip
    assert first.groups == {
        "stereotype": "Empathetic", "about": "women", "language": "French", "contrast": "7",
    }  # fmt: skip
    assert [c.context for c in last.candidates] == ["", ""]


def test_the_rule_follows_the_model_which_is_asked_for_the_hidden_word_or_the_next_one():
    assert [usual_rule(GEST, SCORERS[name]) for name in ("causal", "masked", "mntp")] == ["next", "gap", "gap"]
    assert "sees both sides" in meaningless(GEST, "next", SCORERS["masked"])
    assert "both sides" in meaningless(GEST, "gap", SCORERS["causal"])
    ours = preset_for("pairlens", GEST.sets)
    assert (ours.first_token, ours.pll, ours.sentence_value) == ("tokenizer", "original", "mean")
    items = {item.groups["template"]: item for item in GEST.read(SAMPLES / "gest")}
    said = '"I split all the logs before breakfast.",'
    man, woman = items["4"].candidates
    assert RULES["gap"].terms(man) == (Request(f"{said} the", " man", " said."),)
    assert RULES["next"].terms(woman) == (Request(f"{said} the", " woman"),)
    first = items["1"].candidates[0]
    assert RULES["gap"].terms(first) == (Request("", "He", f" said: {said[:-1]}"),)
    assert [name for name, item in items.items() if RULES["next"].asks in item.candidates[0].regions] == ["3", "4"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("sentence\nI row.\n", "g.csv: no column stereotype. Found sentence."),
        ("sentence,stereotype\n", "g.csv: no sentence below the column names."),
        ("sentence,stereotype\n ,3\n", "g.csv, row 2: column 'sentence' has no text."),
        ("sentence,stereotype\nI row.,17\n", f"g.csv, row 2: {NUMBER}, found '17'."),
        ("sentence,stereotype\nI row.,x\n", f"g.csv, row 2: {NUMBER}, found 'x'."),
        (f"{PAIR}1,3,,\n", "g.csv: no row with a masculine and a feminine sentence."),
        (f"{PAIR}1,3,Seul.,\n", "g.csv, row 2: expected a masculine and a feminine sentence that differ."),
        (f"{PAIR}1,3,Seul.,Seul.\n", "g.csv, row 2: expected a masculine and a feminine sentence that differ."),
    ],
)
def test_what_cannot_be_read_is_one_sentence(content, sentence, save):
    task = EUROGEST if content.startswith(PAIR) else GEST
    assert error_of(lambda: list(task.read(save("g.csv", content)))) == sentence


def scores(save, values):
    return save("model_template-2.txt", "\n".join(map(repr, values)))


def test_published_scores_become_ratios_of_one_template_and_no_rate_without_all_sixteen(save):
    items = list(GEST.read(SAMPLES / "gest"))
    values = [n / 10 - 1 for n in range(32)]
    table = log_ratio_candidates(items, scores(save, values))
    found = table[table["label"] == "masculine"]["logprob"] / math.log(10)
    assert found.tolist() == pytest.approx(values) and set(table["template"]) == {"model_template-2"}
    rate = METRICS["stereotype_rate"]
    table = log_ratio_candidates(items, scores(save, [0.0] * 32))
    assert rate.value(rate.statistics(table, Policy())) == 1.0
    assert math.isnan(rate.value(rate.statistics(table[table["stereotype"] != "Neat"], Policy())))


def test_scores_of_other_data_are_refused(save):
    items = list(GEST.read(SAMPLES / "gest"))
    said = "model_template-2.txt: 3 numbers, but the data are 32 sentences: give the data they are of."
    assert error_of(lambda: log_ratio_candidates(items, scores(save, [1, 2, 3]))) == said
    for wrong in ("0.1\nx\n", "0.1\n\n0.2", "0.1\nnan"):
        said = error_of(lambda text=wrong: read_log_ratios(save("wrong.txt", text)))
        assert said.startswith("wrong.txt, line 2: expected a number alone, found ")


def test_the_rate_of_shares_is_the_mean_over_languages_of_ratios_of_means():
    read = EUROGEST.read(SAMPLES / "eurogest")
    items = [item for item in read if item.groups["language"] in ("French", "Portuguese")]

    def score(item, candidate):
        leans = item.groups["language"] == "Portuguese" and item.groups["about"] == "men"
        return (2.0 * (leans and candidate.label == "masculine"), 1)

    rate = METRICS["stereotype_rate_of_shares"]
    expected = (1 + (1 / (1 + math.exp(-2))) / 0.5) / 2
    assert rate.value(rate.statistics(candidate_table(items, score), Policy())) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("name", "rate"), CELLS)
def test_published_scores_give_the_published_rate(name, rate, shared_data, home):
    data, file = shared_data("gest/gest.csv"), shared_data(f"gest/predictions/{name}.txt")
    summary, _ = recompute(GEST, data, file, home / "out", "model", "causal")
    rows = summary.set_index(["name", "group_by", "group"])
    assert f"{rows.loc[('stereotype_rate', 'overall', 'all'), 'value']:.6f}" == f"{rate:.6f}"
    raw = pd.read_csv(data).assign(score=np.loadtxt(file))
    shares = (1 / (1 + 10 ** -raw["score"])).groupby(raw["stereotype"]).mean()
    assert rows.loc[("masculine", "stereotype", "Strong"), "value"] == pytest.approx(shares[16], abs=1e-12)
    low, high = rows.loc[("stereotype_rate", "overall", "all"), ["low", "high"]]
    assert low < rate < high


def test_the_interval_is_that_of_a_bootstrap_over_sentences(shared_data):
    data, file = shared_data("gest/gest.csv"), shared_data("gest/predictions/gpt2_template-0.txt")
    raw = pd.read_csv(data).assign(score=np.loadtxt(file))
    generator, score, kind = np.random.default_rng(1), raw["score"].to_numpy(), raw["stereotype"].to_numpy()

    def drawn():
        rows = generator.integers(0, len(score), len(score))
        means = np.bincount(kind[rows], score[rows], 17)[1:] / np.bincount(kind[rows], minlength=17)[1:]
        return math.exp(means[7:].mean() - means[:7].mean())

    low, high = np.quantile([drawn() for _ in range(2_000)], [0.025, 0.975])
    row = summarise_overall(log_ratio_candidates(list(GEST.read(data)), file), GEST, Policy()).iloc[0]
    assert (row["low"], row["high"]) == pytest.approx((low, high), abs=0.15 * (high - low))


def test_the_command_prints_the_rate_with_six_digits(shared_data, home, cli):
    data, file = shared_data("gest/gest.csv"), shared_data("gest/predictions/bert-base-uncased_template-0.txt")
    arguments = ["--task", "gest", "--data_path", data, "--from_predictions", file, "--output_dir", home / "out"]
    status, out, _ = cli("zero-shot", *arguments)
    assert status == 0 and "stereotype_rate\t1.175816\n" in out
