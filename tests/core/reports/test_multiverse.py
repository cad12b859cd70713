"""A run's number under every policy, each against an ordinary run of that policy or a calculation by hand."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import shutil
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import api
from core.analysis.multiverse import firm_decisions
from core.analysis.summary import metrics_under
from core.cli import main
from core.errors import InputError, ModelError, PolicyError, StoreError
from core.metrics import METRICS
from core.models import find, token_counts
from core.policies import PRESETS, Policy, preset, preset_for
from core.reports.multiverse import Layout, lay_out, wording
from core.reports.multiverse.adding_up import Scores
from core.reports.multiverse.layout import presets_of, ways_of
from core.reports.multiverse.matching import match, printable
from core.reports.multiverse.numbers import LEFT_OUT, OWN, QUERY, RUN, Decisions, decisions, numbers
from core.reports.multiverse.scoring import items_of, needed, score_missing
from core.runs.evaluate import evaluate
from core.runs.zero_shot import meaningless, sample
from core.scorers import SCORERS
from core.scoring.into_store import scores_now
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS
from core.types import Request
from workshop.language_models.token_counts import write

PAIRS = [
    ("The key to the cabinets is on the table.", "The key to the cabinets are on the table."),
    ("Sarah laughs when the dogs fall asleep.", "Sarah laugh when the dogs fall asleep."),
    ("They think that nobody would believe the stories.", "They thinks that nobody would believe the stories."),
    ("Which boats has the boy sold?", "Which boats have the boy sold so quickly?"),
    ("The teacher said what she had seen.", "The teacher said what she has saw."),
    ("No author has ever written a book.", "The author has ever written a book."),
]
UIDS = ("agreement", "licensing")


@pytest.fixture(autouse=True)
def unpublished(monkeypatch):
    """Nothing here is asked in SQL."""
    monkeypatch.setattr("core.runs.evaluate.catalog.publish", lambda store: None)


@pytest.fixture
def data(tmp_path):
    """Two paradigms of unequal size, so that means over paradigms and over items differ."""
    folder = tmp_path / "data"
    folder.mkdir()
    for uid, pairs in zip(UIDS, (PAIRS[:4], PAIRS[4:]), strict=True):
        lines = [json.dumps({"sentence_good": good, "sentence_bad": bad, "UID": uid}) for good, bad in pairs]
        (folder / f"{uid}.jsonl").write_text("\n".join(lines))
    return folder


@pytest.fixture
def model(home, tiny):
    """The name of a tiny model in the catalogue: `model("llama")`, `model("bert")`."""

    def make(architecture: str) -> str:
        kind = "masked" if architecture == "bert" else "causal"
        folder = Path(shutil.copytree(tiny(architecture), home / "models" / architecture))
        (folder / "card.json").write_text(json.dumps({"kind": kind, "language": "en"}))
        return architecture

    yield make


def run_of(model: str, data: Path, store: Store, policy: Policy = PRESETS["pairlens"], task: str = "blimp") -> str:
    *_, last = evaluate(TASKS[task], data, api.recipe(model, policy=policy), store)
    return last.run_id


def looked_at(run_id: str, store: Store) -> tuple[Layout, Scores, pd.DataFrame, dict[str, str]]:
    layout = lay_out(store, run_id)
    scores = Scores(layout, store)
    return layout, scores, *numbers(layout, scores)


def no_scorer(_: object) -> object:
    raise AssertionError("something is scored that nobody asked for")


@pytest.mark.parametrize("architecture", ["llama", "bert"])
def test_every_number_is_that_of_an_ordinary_run(architecture, data, model, tmp_path):
    """The other runs are made in a store of their own, by the command line's own path."""
    store, other = Store(), Store(tmp_path / "other")
    run_id = run_of(name := model(architecture), data, store)
    for _ in score_missing(lay_out(store, run_id), store):
        continue
    layout, _, table, _ = looked_at(run_id, store)
    assert not layout.missing
    ordinary = table[table["label"].str.endswith(("sum", "per token"))]
    assert len(ordinary) >= {"llama": 10, "bert": 4}[architecture]
    for _, row in ordinary.iterrows():
        policy = layout.ways[row["way"]].policy.but(name="any", ties=row["ties_count"])
        expected = other.metrics(run_of(name, data, other, policy)).iloc[0]
        for column in ("value", "low", "high", "n", "ties", "undecided", "excluded"):
            assert row[column] == pytest.approx(expected[column], nan_ok=True), (row["label"], column)
    if architecture == "llama":
        named = {name: row for _, row in table.iterrows() for name in row["presets"].split(", ") if name}
        assert {*named} == {*PRESETS} - {"babylm-2025-05"}, "which frames texts as no way here does"
        for like, row in named.items():
            assert row["value"] == other.metrics(run_of(name, data, other, preset(like)))["value"].iloc[0], like
        run_ids = other.runs().set_index("preset")["run_id"]
        assert store.has_finished(run_ids["babylm-2025"]), "zero-shot's own run"


def test_nothing_is_scored_without_being_asked(data, model, monkeypatch):
    store = Store()
    run_id = run_of(model("llama"), data, store)
    before = sorted(path for path in store.folder.rglob("*"))
    monkeypatch.setattr("core.scoring.recipe.Recipe.open", no_scorer)
    layout, scores, table, reasons = looked_at(run_id, store)
    decisions(layout, scores)
    match(printable(layout, scores), "50")
    assert sorted(path for path in store.folder.rglob("*")) == before
    assert set(table["origin"]) == {OWN, QUERY} and not reasons
    assert len(layout.stored) + len(layout.missing) == len(layout.ways) == 14
    assert len(needed(layout)) == 4, "policies that differ only in how scores add up share them"


def test_afterwards_they_are_look_ups_and_said_to_be_newly_scored(data, model):
    store = Store()
    run_id = run_of(model("llama"), data, store)
    *_, last = score_missing(lay_out(store, run_id), store)
    assert last.done == last.total == last.scored + last.reused
    layout, _, table, _ = looked_at(run_id, store)
    own = table[table["run_id"] == run_id]
    assert set(own["origin"]) == {OWN, QUERY} and set(table.drop(own.index)["origin"]) == {RUN}
    assert [*score_missing(layout, store, scorer=no_scorer)][-1].total == 0


def test_means_per_word_and_character_by_hand(data, model):
    store = Store()
    run_id = run_of(model("llama"), data, store)
    layout, scores, table, _ = looked_at(run_id, store)
    candidates = store.candidates(run_id)
    for name, length in (("word", lambda text: len(text.split())), ("character", len)):
        way = next(way for way in layout.ways if way.added_up == name)
        ours = scores.compared(way).candidates["logprob"].to_numpy()
        by_hand = [lp / length(text) for lp, text in zip(candidates["logprob"], candidates["text"], strict=True)]
        assert ours == pytest.approx(by_hand)
        right = np.array(by_hand).reshape(-1, 2)
        wins = pd.Series(right[:, 0] > right[:, 1]).groupby(np.repeat(UIDS, [4, 2])).mean().mean()
        assert table.set_index("way").loc[layout.ways.index(way), "value"] == pytest.approx(wins)


def test_slor_by_hand_from_token_counts(data, model):
    """log((c + 1) / (N + V)) per token, from counts that are not all alike; token ids read from plain scores."""
    store = Store()
    run_id = run_of(name := model("llama"), data, store)
    found = find(name)
    generator = np.random.default_rng(1)
    size = json.loads((found.folder / "config.json").read_text())["vocab_size"]
    counts = generator.integers(0, 1000, size)
    write(counts, found)
    assert find(name).weights == found.weights and find(name).tokenizer == found.tokenizer, "no score depends on it"
    layout, scores, _, reasons = looked_at(run_id, store)
    assert not reasons and wording.corrections(layout, scores, reasons) == wording.slor(
        "the model's own token counts"
    )
    way = next(way for way in layout.ways if way.added_up == "slor")
    ours = scores.compared(way).candidates["logprob"].to_numpy()
    texts = [text for pair in PAIRS for text in pair]
    plain = scores_now([Request("", text) for text in texts], api.recipe(name), Store(store.folder / "empty"))
    total = counts.sum() + len(counts)
    expected = {
        text: (one.total - sum(math.log((counts[id] + 1) / total) for id in one.ids)) / len(one.ids)
        for text, one in zip(texts, plain, strict=True)
    }
    asked = store.candidates(run_id)["text"]
    assert ours == pytest.approx([expected[text] for text in asked], abs=1e-5)


def counted(name: str) -> str:
    """The model, with token counts that are not all alike."""
    found = find(name)
    size = json.loads((found.folder / "config.json").read_text())["vocab_size"]
    write(np.random.default_rng(1).integers(0, 1000, size), found)
    return name


@pytest.mark.parametrize("policy", [Policy(), preset("lm-eval")], ids=["pairlens", "lm-eval"])
@pytest.mark.parametrize("architecture", ["llama", "gpt2", "bert"])
def test_where_only_sums_are_kept_slor_is_made_from_the_texts(architecture, policy, data, model, monkeypatch):
    """The scores of benchmarks that ship with Pairlens are such."""
    store = Store()
    run_id = run_of(counted(model(architecture)), data, store, policy)
    layout, scores, *_ = looked_at(run_id, store)
    way = next(way for way in layout.ways if way.added_up == "slor")
    expected = scores.compared(way).candidates["logprob"]
    monkeypatch.setattr("core.reports.multiverse.adding_up.token_sums", lambda *_: pd.Series(dtype=np.float64))
    found = Scores(layout, store).compared(way)
    assert not found.reason and found.candidates["logprob"].to_numpy() == pytest.approx(expected.to_numpy())


def test_where_sums_are_not_over_all_tokens_there_is_no_slor_and_no_decision_is_lost(data, model, monkeypatch):
    store = Store()
    run_id = run_of(counted(model("llama")), data, store, Policy(first_token="none"))
    before = decisions(*looked_at(run_id, store)[:2])
    monkeypatch.setattr("core.reports.multiverse.adding_up.token_sums", lambda *_: pd.Series(dtype=np.float64))
    layout, scores, table, reasons = looked_at(run_id, store)
    assert [said.partition(";")[0] for said in reasons.values()] == [
        "Of 12 texts only the sums over their tokens are stored"
    ]
    assert not table["label"].str.contains("SLOR").any() and wording.corrections(layout, scores, reasons) == ""
    after = decisions(layout, scores)
    assert after.n_ways == before.n_ways - 1 and after.common == len(PAIRS)


@pytest.mark.model
@pytest.mark.parametrize("name", ["english-small", "bilingual-masked"])
def test_our_sample_has_slor_on_arrival(name, monkeypatch):
    """What ships answers it, and no network is opened."""
    monkeypatch.setattr("core.scoring.recipe.Recipe.open", no_scorer)
    store = Store()
    layout, scores, table, reasons = looked_at(run_of(name, sample(TASKS["blimp"]), store), store)
    assert not reasons and wording.corrections(layout, scores, reasons) == wording.slor(
        "the model's own token counts"
    )
    row = table[table["label"].str.endswith("SLOR")].iloc[0]
    assert row["n"] == layout.manifest["n"] and 0.5 < row["value"] < 1


@pytest.mark.slow
def test_ways_that_differ_have_names_that_differ():
    """Decisions are kept by the names of the ways."""
    for task in TASKS.values():
        for kind, name, same in product(SCORERS.values(), PRESETS, (True, False)):
            if not meaningless(task, task.rules[0], kind):
                metric = metrics_under(task, task.rules[0])[0]
                base = preset_for(name, task.sets)
                ways, _ = ways_of(task, kind, base, task.rules[0], metric, same_texts=same)
                assert len({way.in_words(task.rules[0]) for way in ways}) == len(ways), (task.name, kind.name, name)


def test_slor_by_hand_from_word_counts(data, model):
    store = Store()
    run_id = run_of(model("llama"), data, store)
    layout, scores, _, reasons = looked_at(run_id, store)
    assert wording.corrections(layout, scores, reasons) == wording.slor("the word counts of unigram-english")
    way = next(way for way in layout.ways if way.added_up == "slor")
    table = scores.compared(way).candidates
    raw = store.candidates(run_id)
    opened = SCORERS["unigram"].open(find("unigram-english"), PRESETS["pairlens"])
    totals = [one.total for one in opened.score([Request("", text) for text in raw["text"]])]
    assert table["logprob"].to_numpy() == pytest.approx(((raw["logprob"] - totals) / raw["n_scored"]).to_numpy())


def test_without_counts_slor_is_absent_with_a_reason(data, model):
    store = Store()
    name = model("llama")
    folder = find(name).folder
    (folder / "card.json").write_text(json.dumps({"kind": "causal", "language": "fr"}))
    _, _, table, reasons = looked_at(run_of(name, data, store), store)
    assert not table["label"].str.contains("SLOR").any()
    assert list(reasons.values()) == [
        "'llama' has no token counts, and word counts are there for English models only (its language is fr)."
    ]


def test_damaged_and_foreign_counts_are_refused(data, model):
    found = find(model("llama"))
    write(np.ones(5, np.int64), dataclasses.replace(found, tokenizer="another"))
    with pytest.raises(ModelError, match="of another tokenizer"):
        token_counts.read(found)
    (found.folder / token_counts.TOKEN_COUNTS).write_bytes(b"PK nonsense")
    with pytest.raises(ModelError, match="cannot be read"):
        token_counts.read(found)


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=40).map(lambda c: np.array(c, np.int64)))
def test_smoothed_counts_are_a_distribution_in_the_order_of_the_counts(counts):
    found = token_counts.logprobs(counts)
    assert np.exp(found).sum() == pytest.approx(1)
    assert np.array_equal(np.argsort(found, kind="stable"), np.argsort(counts, kind="stable"))


@pytest.mark.slow
def test_ties_are_a_row_of_each_rule_and_only_where_there_are_any(unigram):
    store = Store()
    run_id = run_of(unigram, ROOT / "data" / "samples" / "blimp", store)
    _, _, table, reasons = looked_at(run_id, store)
    own = table[table["way"] == 0].set_index("ties_count")
    assert list(own.index) == ["half", "correct", "wrong"] and (own["ties"] > 0).all()
    ties, n = own["ties"].iloc[0], own["n"].iloc[0]
    assert own.loc["correct", "value"] - own.loc["wrong", "value"] == pytest.approx(ties / n)
    assert own.loc["half", "presets"] == "pairlens" and "babylm-2025" in own.loc["correct", "presets"]
    assert not reasons


def test_sum_and_mean_decide_alike_where_lengths_are_equal(data, model):
    store = Store()
    run_id = run_of(model("llama"), data, store)
    layout, scores, *_ = looked_at(run_id, store)
    table = store.candidates(run_id)
    lengths = table.groupby("item")["n_scored"].nunique()
    equal = lengths.index[lengths == 1]
    assert 0 < len(equal) < len(lengths)
    by_way = decisions(layout, scores).by_way
    names = [layout.label(way) for way in layout.ways if way.added_up in ("sum", "token") and way in layout.stored]
    assert by_way.loc[equal, names].nunique(axis=1).eq(1).all()


def test_fragile_items_are_those_on_which_ways_disagree(data, model):
    store = Store()
    run_id = run_of(model("llama"), data, store)
    for _ in score_missing(lay_out(store, run_id), store):
        continue
    layout, scores, table, _ = looked_at(run_id, store)
    found = decisions(layout, scores)
    counted = found.by_way[(found.by_way != LEFT_OUT).all(axis=1)]
    disagree = set(counted.index[counted.nunique(axis=1) > 1])
    assert disagree and set(found.fragile["item"]) == disagree
    row = found.fragile.iloc[0]
    assert row["agree"] == (counted.loc[row["item"]] == row["here"]).sum()
    assert row["against"].count(";") + 1 == row["of"] - row["agree"]
    assert found.fragile["agree"].is_monotonic_increasing
    firm = len(counted) - len(disagree)
    assert wording.headline(found, "pair") == firm_decisions(firm, len(counted), "14 policies")
    shares = (found.by_way == "right").groupby(
        store.candidates(run_id).drop_duplicates("item").set_index("item")["UID"]
    )
    expected = shares.mean().mean()
    untied = table[(table["ties"] == 0) & (table["undecided"] == 0)]
    for _, one in untied.iterrows():
        assert one["value"] == pytest.approx(expected[one["label"]])


def test_a_number_that_a_policy_prints_is_found_and_another_is_not(data, model):
    store = Store()
    run_id = run_of(model("llama"), data, store)
    layout, scores, table, _ = looked_at(run_id, store)
    everything = printable(layout, scores)
    for _, row in table.iterrows():
        for text in (
            f"{100 * row['value']:.2f}",
            f"{100 * row['value']:.1f} %".replace(".", ","),
            f"{row['value']:.4f}",
        ):
            hits = match(everything, text).hits
            assert row["label"] in set(hits["label"]), text
            assert hits["of"].str.startswith("Accuracy").any()
    nothing = match(everything, "41.37")
    assert nothing.hits.empty and nothing.table["value"].abs().sub(41.37).abs().is_monotonic_increasing
    assert wording.matched(nothing).startswith(f"None of {len(everything)} ways gives 41.37. The nearest is ")
    with pytest.raises(InputError, match="is not a number"):
        match(everything, "seventy")


def test_a_percent_sign_asks_for_percentages_only(data, model):
    store = Store()
    layout, scores, *_ = looked_at(run_of(model("llama"), data, store), store)
    everything = printable(layout, scores)
    assert set(match(everything, "50 %").table["unit"]) == {"%"}
    assert {"%", "share", "bits", "nats"} <= set(match(everything, "50").table["unit"])


def test_mean_surprisals_are_found_too(data, model):
    store = Store()
    run_id = run_of(model("llama"), data, store)
    layout, scores, *_ = looked_at(run_id, store)
    candidates = store.candidates(run_id)
    everything = printable(layout, scores)
    good = candidates[candidates["label"] == candidates["gold"]]
    hits = match(everything, f"{-good['logprob'].mean() / math.log(2):.3f}").hits
    assert ("mean over the right candidates", "bits") in set(zip(hits["of"], hits["unit"], strict=True))
    grains = everything.groupby("unit")["grain"].unique()
    assert grains["%"].tolist() == pytest.approx([100 / 8, 100 / 6]) and grains["bits"].tolist() == [0]
    perplexity = math.exp(-candidates["logprob"].sum() / candidates["n_scored"].sum())
    assert "perplexity of all tokens" in set(match(everything, f"{perplexity:.2f}").hits["of"])


def test_other_rules_of_a_task_are_policies_too(model):
    """A form with and without its end shares its scores: one is a query on the other's."""
    store = Store()
    name = model("llama")
    data = ROOT / "data" / "samples" / "linzen"
    *_, last = evaluate(TASKS["linzen"], data, api.recipe(name), store)
    layout, _, table, _ = looked_at(last.run_id, store)
    rules = {layout.ways[place].rule: row for place, row in table.drop_duplicates("way").set_index("way").iterrows()}
    assert set(rules) == {"word", "form"} and {way.rule for way in layout.missing} == {"word", "joint"}
    for _ in score_missing(layout, store):
        continue
    layout, _, table, _ = looked_at(last.run_id, store)
    assert not layout.missing
    for rule in ("form", "joint"):
        *_, ordinary = evaluate(TASKS["linzen"], data, api.recipe(name), Store(store.folder / rule), rule=rule)
        expected = Store(store.folder / rule).metrics(ordinary.run_id)["value"].iloc[0]
        places = [n for n, way in enumerate(layout.ways) if way.rule == rule and way.added_up == "sum"]
        assert table.set_index("way").loc[places[0], "value"] == pytest.approx(expected)


@pytest.mark.slow
def test_items_are_rebuilt_as_they_were_read(unigram):
    store = Store()
    data = ROOT / "data" / "samples" / "blimp"
    read = list(TASKS["blimp"].read(data))
    again = items_of(store.items(run_of(unigram, data, store)))
    assert [dataclasses.replace(one, candidates=()) for one in again] == [
        dataclasses.replace(one, candidates=()) for one in read
    ]
    assert [[(c.text, c.label, c.context) for c in one.candidates] for one in again] == [
        [(c.text, c.label, c.context) for c in one.candidates] for one in read
    ]


def test_confidential_items_are_neither_kept_nor_rebuilt(model):
    store = Store()
    data = ROOT / "data" / "samples" / "ewok"
    *_, last = evaluate(TASKS["ewok"], data, api.recipe(model("llama")), store)
    layout, _, table, reasons = looked_at(last.run_id, store)
    assert set(reasons.values()) == {"Its texts are confidential and not kept."}
    assert set(table["label"].str.rpartition(" · ")[2]) == {"sum", "per token"}
    for _ in score_missing(layout, store):
        continue
    assert not lay_out(store, last.run_id).missing


def test_presets_with_other_texts_are_policies_of_their_own(data, home, model):
    """A model that has never seen a curly apostrophe: ours maps it, the presets do not."""
    store = Store()
    name = model("llama")
    card = {"kind": "causal", "characters": "".join(map(chr, range(32, 127)))}
    (find(name).folder / "card.json").write_text(json.dumps(card))
    line = {"sentence_good": "The child’s key is here.", "sentence_bad": "The child’s key are here.", "UID": "quotes"}
    (data / "quotes.jsonl").write_text(json.dumps(line))
    layout = lay_out(store, run_of(name, data, store))
    typed = [way for way in layout.ways if way.policy.text == "as-typed"]
    assert {name for way in typed for name in presets_of(way, layout.task)} == set(PRESETS) - {"pairlens"}
    assert presets_of(layout.ways[0], layout.task) == ["pairlens"]
    for _ in score_missing(layout, store):
        continue
    layout, _, table, _ = looked_at(layout.run_id, store)
    other = Store(store.folder / "other")
    row = table[table["presets"] == "minicons"].iloc[0]
    assert row["value"] == other.metrics(run_of(name, data, other, preset("minicons")))["value"].iloc[0]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["right", "right"], ["right", "wrong"]], "1 of 2 decisions holds under all 2 policies."),
        ([["tie", "tie"], ["wrong", "wrong"]], "2 of 2 decisions hold under all 2 policies."),
        ([["tie", "right"], ["too close", "wrong"]], "0 of 2 decisions hold under all 2 policies."),
        ([["right", LEFT_OUT], ["wrong", "wrong"]],
         "The only decision holds under all 2 policies. 1 pair left out: not every policy can decide it."),
        ([["right", LEFT_OUT], [LEFT_OUT, "wrong"]],
         "No decision can be made under all 2 policies. 2 pairs left out: not every policy can decide them."),
        ([["right", "right"], [LEFT_OUT, LEFT_OUT]],
         "The only decision holds under all 2 policies. 1 pair left out under all of them."),
        ([["right"], ["wrong"]], "Only one policy is scored: there is nothing to compare its 2 pairs with."),
    ],
)  # fmt: skip
def test_how_many_decisions_hold_reads_right(rows, said):
    by_way = pd.DataFrame(rows)
    counted = by_way[(by_way != LEFT_OUT).all(axis=1)]
    fragile = counted[counted.nunique(axis=1) > 1]
    assert wording.headline(Decisions(by_way, fragile), "pair") == said


def test_what_cannot_be_asked_is_said(data, model, unigram):
    store = Store()
    run_id = run_of(name := model("llama"), data, store)
    with pytest.raises(PolicyError, match="metric of this run"):
        lay_out(store, run_id, "perplexity")
    with pytest.raises(StoreError, match="no run"):
        lay_out(store, "blimp-0000000000")
    find(name).folder.rename(find(name).folder.with_name("elsewhere"))
    layout, _, table, reasons = looked_at(run_id, store)
    assert len(table) and layout.absent and list(reasons.values()) == [layout.absent]
    with pytest.raises(ModelError):
        list(score_missing(layout, store))


@pytest.mark.slow
def test_a_metric_that_decides_nothing_has_numbers_and_no_items(unigram):
    store = Store()
    *_, last = evaluate(TASKS["aoa"], ROOT / "data" / "samples" / "aoa", api.recipe(unigram), store)
    layout, scores, table, _ = looked_at(last.run_id, store)
    assert decisions(layout, scores) is None and METRICS[layout.metric].scale == "bits"
    value = table["value"].iloc[0]
    assert match(printable(layout, scores), f"{value:.2f}").hits["of"].eq("Surprisal").any()
    assert main(["policies", last.run_id, "--items", "items.csv"]) == 2


@pytest.mark.slow
def test_stereotypes_are_counted_not_judged(unigram):
    store = Store()
    *_, last = evaluate(TASKS["crows_pairs"], sample(TASKS["crows_pairs"]), api.recipe(unigram), store, rule="joint")
    found = decisions(*looked_at(last.run_id, store)[:2])
    assert set(np.unique(found.by_way)) <= {"counts", "does not", "tie", "too close", LEFT_OUT}
    assert not {"right", "rival"} & set(found.fragile) and len(found.fragile)
    for row in found.fragile.itertuples():
        assert row.texts.startswith(("more: ", "less: ")) and " | " in row.texts


def test_the_command_line(data, model, tmp_path, capsys):
    store = Store()
    run_id = run_of(model("llama"), data, store)
    assert main(["policies", run_id, "--output", str(tmp_path / "a.csv"), "--items", str(tmp_path / "b.csv")]) == 0
    out = capsys.readouterr().out
    assert "\n9 policies are not scored yet" in out and re.search("decisions holds? under all 5 policies", out)
    assert len(pd.read_csv(tmp_path / "a.csv")) >= 5 and (tmp_path / "b.csv").is_file()
    assert len(Store().runs()) == 1
    assert main(["policies", run_id, "--score-missing"]) == 0
    assert "under all 14 policies" in capsys.readouterr().out
    value = Store().metrics(run_id)["value"].iloc[0]
    assert main(["match", run_id, f"{100 * value:.2f}%"]) == 0
    assert f" ways give {100 * value:.2f}%" in capsys.readouterr().out
    assert main(["match", run_id, "many"]) == 2
    assert main(["policies", "nothing"]) == 2
    assert main(["policies", run_id, "--output", "same.csv", "--items", "same.csv"]) == 2


@pytest.mark.slow
def test_scores_of_another_program_are_added_up_and_never_scored_anew(unigram):
    store = Store()
    run_id = run_of(unigram, ROOT / "data" / "samples" / "blimp", store)
    store.update({**store.manifest(run_id), "scorer": "stated-elsewhere", "weights": ""})
    layout, _, table, reasons = looked_at(run_id, store)
    assert not layout.missing and (table["presets"] == "").all()
    assert set(table["label"]) == {"sum", "per token", "per word", "per character"}
    assert "come from another program" in reasons["SLOR"]
