"""The published numbers of StereoSet, from the published predictions, by both definitions."""

from functools import cache

import pytest

from core.files.stereoset.reading import read_examples
from core.statistics import funnel
from core.studies.stereoset.measured import measure
from core.studies.stereoset.predictions import read_predictions
from core.studies.stereoset.tables import figures

FILES = {
    "BERT base cased": "predictions_bert-base-cased_BertNextSentence_BertLM.json.gz",
    "BERT large cased": "predictions_bert-large-cased_BertNextSentence_BertLM.json.gz",
    "GPT-2": "predictions_gpt2_ModelNSP_GPT2LM.json.gz",
}
KINDS = ("intrasentence", "intersentence")


@cache
def published(folder):
    return read_examples(folder / "dev_en_reconstructed.json.gz")


@cache
def measured(folder, system, ties="legacy"):
    return measure(published(folder), read_predictions(folder / "predictions" / FILES[system]), ties)


def test_all_examples_are_read_with_their_only_ties_and_what_chance_alone_gives(shared_data):
    found = published(shared_data("stereoset"))
    assert (len(found.intrasentence), len(found.intersentence), len(found.left_out)) == (2106, 2123, 0)
    assert len({example.term for example in found}) == 79 and len(found.notes) == 6
    assert sum("2 times" in note.text for note in found.notes) == 2
    assert any("takes sometimespizza, sometimeswitchdoctor" in note.text for note in found.notes)
    folder = shared_data("stereoset")
    ties = {
        (system, kind): measured(folder, system).cell(kind).ties + measured(folder, system).cell(kind).related_ties
        for system in FILES
        for kind in KINDS
    }
    assert {key: n for key, n in ties.items() if n} == {("BERT large cased", "intersentence"): 8}
    system = "BERT large cased"
    half, legacy = (measured(folder, system, ties).cell("intersentence") for ties in ("half", "legacy"))
    assert half.pooled.ss.value == pytest.approx(legacy.pooled.ss.value + 400 / 2123)
    within, between = (measured(shared_data("stereoset"), "GPT-2").cell(kind) for kind in KINDS)
    assert within.spread.sd == pytest.approx(10.73, abs=0.005)
    assert (within.spread.low, within.spread.high) == pytest.approx((7.9, 10.8), abs=0.1)
    assert within.coin_icat == pytest.approx(84.5, abs=0.05)
    assert between.spread.sd == pytest.approx(10.35, abs=0.005)
    assert (between.spread.low, between.spread.high) == pytest.approx((8.2, 11.2), abs=0.15)
    terms = measured(shared_data("stereoset"), "GPT-2").terms.query("kind == 'intersentence'")
    around_50 = funnel.outside(terms["ss"].to_numpy(float), terms["n"].to_numpy(float), 50.0)
    assert around_50.n == 5 and around_50.expected == pytest.approx(4, abs=0.5)


@pytest.mark.parametrize("system", FILES)
def test_every_published_number(system, shared_data):
    """To as many digits as were printed. The successor scored BERT anew; its GPT-2 is the original's."""
    found = measured(shared_data("stereoset"), system)
    known = figures("en")
    same = known["source"].str.startswith("Nadeem") | (known["system"] == "GPT-2")
    ours = known[same & (known["system"] == system) & (known["case"] == "")]
    assert len(ours) == 33 + (24 if system == "GPT-2" else 0)
    for row in ours.itertuples():
        cell = found.cell(row.kind, row.bias_type)
        value = cell.spread.sd if row.metric == "ss_sd" else cell.numbers[row.aggregation][row.metric].value
        digits = 4 if row.source.startswith("Nadeem") else 2
        assert round(value, digits) == pytest.approx(row.value, abs=1e-9), row
