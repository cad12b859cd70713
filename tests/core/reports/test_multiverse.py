"""A run's number under every policy, each against an ordinary run of that policy or a calculation by hand."""

import dataclasses
import json
import math
import re
import shutil
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import pairlens
from pairlens.analysis.multiverse import firm_decisions
from pairlens.analysis.summary import metrics_under
from pairlens.cli import main
from pairlens.errors import InputError, ModelError, PolicyError, StoreError
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.zero_shot import meaningless, sample
from pairlens.metrics import METRICS
from pairlens.models import find, token_counts
from pairlens.policies import PRESETS, Policy, preset, preset_for
from pairlens.reports.multiverse import lay_out, wording
from pairlens.reports.multiverse.adding_up import Scores
from pairlens.reports.multiverse.layout import presets_of, ways_of
from pairlens.reports.multiverse.matching import match, printable
from pairlens.reports.multiverse.numbers import LEFT_OUT, OWN, QUERY, RUN, Decisions, decisions, numbers
from pairlens.reports.multiverse.scoring import items_of, needed, score_missing
from pairlens.scorers import SCORERS
from pairlens.scoring.into_store import scores_now
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import Request
from tests.core.conftest import in_catalogue
from tests.core.reports.conftest import SAMPLES
from tests.records import write as write_lines
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
OWN_COUNTS = wording.slor("the model's own token counts")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Two paradigms of unequal size, so that means over paradigms and over items differ."""
    folder = tmp_path_factory.mktemp("data")
    for uid, pairs in zip(UIDS, (PAIRS[:4], PAIRS[4:]), strict=True):
        write_lines(folder / f"{uid}.jsonl", *(as_record(*pair, uid) for pair in pairs))
    return folder


def as_record(good, bad, uid):
    return {"sentence_good": good, "sentence_bad": bad, "UID": uid}


@pytest.fixture
def store(home):
    return Store()


@pytest.fixture(scope="module")
def seen(tmp_path_factory, tiny, data):
    """A run of the tiny llama for tests that only look, and what is seen of it before and after all is scored."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIRLENS_HOME", str(home))
        patch.setenv("PAIRLENS_TOKEN_BUDGET", "1024")
        settings.cache_clear()
        store = Store()
        run_id = run_of(in_catalogue(home, tiny, "llama"), data, store)
        whole = Store(Path(shutil.copytree(store.folder, tmp_path_factory.mktemp("whole"), dirs_exist_ok=True)))
        scored(run_id, whole)
        before, after = (looked_at(run_id, one) for one in (store, whole))
    settings.cache_clear()
    return SimpleNamespace(home=home, store=store, run_id=run_id, before=before, after=after)


@pytest.fixture
def ran(seen, home):
    """The id of the same run, in this test's home."""
    shutil.copytree(seen.home, home, dirs_exist_ok=True)
    return seen.run_id


def run_of(model, data, store, policy=PRESETS["pairlens"], task="blimp"):
    *_, last = evaluate(TASKS[task], data, pairlens.recipe(model, policy=policy), store)
    return last.run_id


def looked_at(run_id, store):
    layout = lay_out(store, run_id)
    scores = Scores(layout, store)
    return layout, scores, *numbers(layout, scores)


def scored(run_id, store, **options):
    """The last step of scoring what is missing, with models that may be open already."""
    options = {"scorer": lambda recipe: recipe.open(), **options}
    return list(score_missing(lay_out(store, run_id), store, **options))[-1]


def head_of(task, folder, n, files=None):
    """The first lines of the files of a sample, or of so many of them."""
    folder.mkdir()
    for file in sorted((SAMPLES / task).iterdir())[:files]:
        (folder / file.name).write_text("".join(file.read_text("utf-8").splitlines(keepends=True)[:n]), "utf-8")
    return folder


def way_of(layout, name):
    return next(way for way in layout.ways if way.added_up == name)


def no_scorer(_):
    raise AssertionError("something is scored that nobody asked for")


@pytest.mark.parametrize("architecture", ["llama", "bert"])
def test_every_number_is_that_of_an_ordinary_run(architecture, data, model, store, tmp_path):
    """The other runs are made in a store of their own, by the command line's own path."""
    other = Store(tmp_path / "other")
    run_id = run_of(name := model(architecture), data, store)
    last = scored(run_id, store)
    assert last.done == last.total == last.scored + last.reused
    layout, _, table, _ = looked_at(run_id, store)
    assert not layout.missing and scored(run_id, store, scorer=no_scorer).total == 0, "afterwards they are look-ups"
    own = table[table["run_id"] == run_id]
    assert set(own["origin"]) == {OWN, QUERY} and set(table.drop(own.index)["origin"]) == {RUN}
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


def test_nothing_is_scored_without_being_asked(ran, store, monkeypatch):
    before = sorted(store.folder.rglob("*"))
    monkeypatch.setattr("pairlens.scoring.recipe.Recipe.open", no_scorer)
    layout, scores, table, reasons = looked_at(ran, store)
    decisions(layout, scores)
    match(printable(layout, scores), "50")
    assert sorted(store.folder.rglob("*")) == before
    assert set(table["origin"]) == {OWN, QUERY} and not reasons
    assert len(layout.stored) + len(layout.missing) == len(layout.ways) == 14
    assert len(needed(layout)) == 4, "policies that differ only in how scores add up share them"


def test_means_per_length_and_slor_from_word_counts_by_hand_and_what_equal_lengths_decide_alike(seen):
    layout, scores, table, reasons = seen.before
    candidates = seen.store.candidates(seen.run_id)
    for name, length in (("word", lambda text: len(text.split())), ("character", len)):
        way = way_of(layout, name)
        ours = scores.compared(way).candidates["logprob"].to_numpy()
        by_hand = [lp / length(text) for lp, text in zip(candidates["logprob"], candidates["text"], strict=True)]
        assert ours == pytest.approx(by_hand)
        right = np.array(by_hand).reshape(-1, 2)
        wins = pd.Series(right[:, 0] > right[:, 1]).groupby(np.repeat(UIDS, [4, 2])).mean().mean()
        assert table.set_index("way").loc[layout.ways.index(way), "value"] == pytest.approx(wins)
    assert wording.corrections(layout, scores, reasons) == wording.slor("the word counts of unigram-english")
    ours = scores.compared(way_of(layout, "slor")).candidates["logprob"].to_numpy()
    opened = SCORERS["unigram"].open(find("unigram-english"), PRESETS["pairlens"])
    totals = [one.total for one in opened.score([Request("", text) for text in candidates["text"]])]
    by_hand = (candidates["logprob"] - totals) / candidates["n_scored"]
    assert ours == pytest.approx(by_hand.to_numpy())
    lengths = candidates.groupby("item")["n_scored"].nunique()
    equal = lengths.index[lengths == 1]
    assert 0 < len(equal) < len(lengths)
    by_way = decisions(layout, scores).by_way
    names = [layout.label(way) for way in layout.ways if way.added_up in ("sum", "token") and way in layout.stored]
    assert by_way.loc[equal, names].nunique(axis=1).eq(1).all()


def test_slor_by_hand_from_token_counts(ran, store):
    """log((c + 1) / (N + V)) per token, from counts that are not all alike; token ids read from plain scores."""
    before = find("llama")
    counts = counted("llama")
    assert find("llama").weights == before.weights and find("llama").tokenizer == before.tokenizer, "as before"
    layout, scores, _, reasons = looked_at(ran, store)
    assert not reasons and wording.corrections(layout, scores, reasons) == OWN_COUNTS
    ours = scores.compared(way_of(layout, "slor")).candidates["logprob"].to_numpy()
    texts = [text for pair in PAIRS for text in pair]
    plain = scores_now([Request("", text) for text in texts], pairlens.recipe("llama"), Store(store.folder / "empty"))
    total = counts.sum() + len(counts)
    expected = {
        text: (one.total - sum(math.log((counts[id] + 1) / total) for id in one.ids)) / len(one.ids)
        for text, one in zip(texts, plain, strict=True)
    }
    asked = store.candidates(ran)["text"]
    assert ours == pytest.approx([expected[text] for text in asked], abs=1e-5)


def counted(name):
    """Gives the model token counts that are not all alike."""
    model = find(name)
    size = json.loads((model.folder / "config.json").read_text())["vocab_size"]
    counts = np.random.default_rng(1).integers(0, 1000, size)
    write(counts, model)
    return counts


@pytest.fixture
def sums_only(monkeypatch):
    """`sums_only()`: from here on no token is stored, as in the scores of benchmarks that ship with Pairlens."""
    name = "pairlens.reports.multiverse.adding_up.token_sums"
    return lambda: monkeypatch.setattr(name, lambda *_: pd.Series(dtype=np.float64))


@pytest.mark.parametrize(
    ("architecture", "preset"), [("llama", "pairlens"), ("gpt2", "lm-eval"), ("bert", "pairlens")]
)
def test_where_only_sums_are_kept_slor_is_made_from_the_texts(architecture, preset, data, model, store, sums_only):
    counted(model(architecture))
    layout, scores, *_ = looked_at(run_of(architecture, data, store, PRESETS[preset]), store)
    way = way_of(layout, "slor")
    expected = scores.compared(way).candidates["logprob"]
    sums_only()
    again = Scores(layout, store).compared(way)
    assert not again.reason and again.candidates["logprob"].to_numpy() == pytest.approx(expected.to_numpy())


def test_where_sums_are_not_over_all_tokens_there_is_no_slor_and_no_decision_is_lost(data, model, store, sums_only):
    counted(model("llama"))
    run_id = run_of("llama", data, store, Policy(first_token="none"))
    before = decisions(*looked_at(run_id, store)[:2])
    sums_only()
    layout, scores, table, reasons = looked_at(run_id, store)
    (reason,) = reasons.values()
    assert reason.startswith("Of 12 texts only the sums over their tokens are stored;")
    assert not table["label"].str.contains("SLOR").any() and wording.corrections(layout, scores, reasons) == ""
    after = decisions(layout, scores)
    assert after.n_ways == before.n_ways - 1 and after.common == len(PAIRS)


@pytest.mark.model
@pytest.mark.parametrize("name", ["english-small", "bilingual-masked"])
def test_our_sample_has_slor_on_arrival(name, store, monkeypatch):
    """What ships answers it, and no network is opened."""
    monkeypatch.setattr("pairlens.scoring.recipe.Recipe.open", no_scorer)
    layout, scores, table, reasons = looked_at(run_of(name, sample(TASKS["blimp"]), store), store)
    assert not reasons and wording.corrections(layout, scores, reasons) == OWN_COUNTS
    row = table[table["label"].str.endswith("SLOR")].iloc[0]
    assert row["n"] == layout.manifest["n"] and 0.5 < row["value"] < 1


@pytest.mark.slow
def test_ways_that_differ_have_names_that_differ():
    """Decisions are kept by the names of the ways."""
    for task in {repr((task.rules, task.metrics, task.sets)): task for task in TASKS.values()}.values():
        for kind, (name, same) in product(SCORERS.values(), [("pairlens", True), *product(PRESETS, [False])]):
            if not meaningless(task, task.rules[0], kind):
                metric = metrics_under(task, task.rules[0])[0]
                base = preset_for(name, task.sets)
                ways, _ = ways_of(task, kind, base, task.rules[0], metric, same_texts=same)
                assert len({way.in_words(task.rules[0]) for way in ways}) == len(ways), (task.name, kind.name, name)


def test_without_counts_slor_is_absent_with_a_reason_and_damaged_or_foreign_ones_are_refused(data, model, store):
    (find(model("llama")).folder / "card.json").write_text(json.dumps({"kind": "causal", "language": "fr"}))
    _, _, table, reasons = looked_at(run_of("llama", data, store), store)
    assert not table["label"].str.contains("SLOR").any()
    assert list(reasons.values()) == [
        "'llama' has no token counts, and word counts are there for English models only (its language is fr)."
    ]
    found = find("llama")
    write(np.ones(5, np.int64), dataclasses.replace(found, tokenizer="another"))
    with pytest.raises(ModelError, match="of another tokenizer"):
        token_counts.read(found)
    (found.folder / token_counts.TOKEN_COUNTS).write_bytes(b"PK nonsense")
    with pytest.raises(ModelError, match="cannot be read"):
        token_counts.read(found)


@pytest.mark.slow
def test_items_are_rebuilt_ties_a_row_of_each_rule_and_scores_of_another_program_never_made_anew(unigram, store):
    run_id = run_of(unigram, SAMPLES / "blimp", store)
    for ours, read in zip(items_of(store.items(run_id)), TASKS["blimp"].read(SAMPLES / "blimp"), strict=True):
        assert dataclasses.replace(ours, candidates=()) == dataclasses.replace(read, candidates=())
        both = ([(c.text, c.label, c.context) for c in one.candidates] for one in (ours, read))
        assert next(both) == next(both)
    _, _, table, reasons = looked_at(run_id, store)
    own = table[table["way"] == 0].set_index("ties_count")
    assert list(own.index) == ["half", "correct", "wrong"] and (own["ties"] > 0).all()
    ties, n = own["ties"].iloc[0], own["n"].iloc[0]
    assert own.loc["correct", "value"] - own.loc["wrong", "value"] == pytest.approx(ties / n)
    assert own.loc["half", "presets"] == "pairlens" and "babylm-2025" in own.loc["correct", "presets"]
    assert not reasons
    store.update({**store.manifest(run_id), "scorer": "stated-elsewhere", "weights": ""})
    layout, _, table, reasons = looked_at(run_id, store)
    assert not layout.missing and (table["presets"] == "").all()
    assert set(table["label"]) == {"sum", "per token", "per word", "per character"}
    assert "come from another program" in reasons["SLOR"]


def test_fragile_items_are_those_on_which_ways_disagree(seen):
    layout, scores, table, _ = seen.after
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
    uids = seen.store.candidates(seen.run_id).drop_duplicates("item").set_index("item")["UID"]
    expected = (found.by_way == "right").groupby(uids).mean().mean()
    untied = table[(table["ties"] == 0) & (table["undecided"] == 0)]
    for _, one in untied.iterrows():
        assert one["value"] == pytest.approx(expected[one["label"]])


def test_a_number_or_mean_surprisal_that_a_policy_prints_is_found_and_another_is_not(seen):
    layout, scores, table, _ = seen.before
    everything = printable(layout, scores)
    for _, row in table.iterrows():
        value = row["value"]
        for text in (f"{100 * value:.2f}", f"{100 * value:.1f} %".replace(".", ","), f"{value:.4f}"):
            hits = match(everything, text).hits
            assert row["label"] in set(hits["label"]), text
            assert hits["of"].str.startswith("Accuracy").any()
    nothing = match(everything, "41.37")
    assert nothing.hits.empty and nothing.table["value"].abs().sub(41.37).abs().is_monotonic_increasing
    assert wording.matched(nothing).startswith(f"None of {len(everything)} ways gives 41.37. The nearest is ")
    with pytest.raises(InputError, match="is not a number"):
        match(everything, "seventy")
    assert set(match(everything, "50 %").table["unit"]) == {"%"}
    assert {"%", "share", "bits", "nats"} <= set(match(everything, "50").table["unit"])
    candidates = seen.store.candidates(seen.run_id)
    good = candidates[candidates["label"] == candidates["gold"]]
    hits = match(everything, f"{-good['logprob'].mean() / math.log(2):.3f}").hits
    assert ("mean over the right candidates", "bits") in set(zip(hits["of"], hits["unit"], strict=True))
    grains = everything.groupby("unit")["grain"].unique()
    assert grains["%"].tolist() == pytest.approx([100 / 8, 100 / 6]) and grains["bits"].tolist() == [0]
    perplexity = math.exp(-candidates["logprob"].sum() / candidates["n_scored"].sum())
    assert "perplexity of all tokens" in set(match(everything, f"{perplexity:.2f}").hits["of"])


def test_other_rules_of_a_task_are_policies_too(model, store, tmp_path):
    """A form with and without its end shares its scores: one is a query on the other's."""
    name, data = model("llama"), head_of("linzen", tmp_path / "data", 4)
    run_id = run_of(name, data, store, task="linzen")
    layout, _, table, _ = looked_at(run_id, store)
    rules = {layout.ways[place].rule: row for place, row in table.drop_duplicates("way").set_index("way").iterrows()}
    assert set(rules) == {"word", "form"} and {way.rule for way in layout.missing} == {"word", "joint"}
    scored(run_id, store, data=data)
    layout, _, table, _ = looked_at(run_id, store)
    assert not layout.missing
    for rule in ("form", "joint"):
        *_, ordinary = evaluate(TASKS["linzen"], data, pairlens.recipe(name), Store(store.folder / rule), rule=rule)
        expected = Store(store.folder / rule).metrics(ordinary.run_id)["value"].iloc[0]
        places = [n for n, way in enumerate(layout.ways) if way.rule == rule and way.added_up == "sum"]
        assert table.set_index("way").loc[places[0], "value"] == pytest.approx(expected)


def test_confidential_items_are_neither_kept_nor_rebuilt(model, store, tmp_path):
    data = head_of("ewok", tmp_path / "data", 1, files=2)
    run_id = run_of(model("llama"), data, store, task="ewok")
    _, _, table, reasons = looked_at(run_id, store)
    assert set(reasons.values()) == {"Its texts are confidential and not kept."}
    assert set(table["label"].str.rpartition(" · ")[2]) == {"sum", "per token"}
    scored(run_id, store, data=data)
    assert not lay_out(store, run_id).missing


def test_presets_with_other_texts_are_policies_of_their_own(tmp_path, model, store):
    """A model that has never seen a curly apostrophe: ours maps it, the presets do not."""
    name, curly = model("llama"), as_record("The child’s key is.", "The child’s key are.", "b")
    card = {"kind": "causal", "characters": "".join(map(chr, range(32, 127)))}
    (find(name).folder / "card.json").write_text(json.dumps(card))
    data = write_lines(tmp_path / "quotes.jsonl", *(as_record(*pair, "a") for pair in PAIRS[:2]), curly)
    layout = lay_out(store, run_id := run_of(name, data, store))
    typed = [way for way in layout.ways if way.policy.text == "as-typed"]
    assert {name for way in typed for name in presets_of(way, layout.task)} == set(PRESETS) - {"pairlens"}
    assert presets_of(layout.ways[0], layout.task) == ["pairlens"]
    scored(run_id, store)
    table = looked_at(run_id, store)[2]
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


def test_what_cannot_be_asked_is_said(ran, store):
    with pytest.raises(PolicyError, match="metric of this run"):
        lay_out(store, ran, "perplexity")
    with pytest.raises(StoreError, match="no run"):
        lay_out(store, "blimp-0000000000")
    folder = find("llama").folder
    folder.rename(folder.with_name("elsewhere"))
    layout, _, table, reasons = looked_at(ran, store)
    assert len(table) and layout.absent and list(reasons.values()) == [layout.absent]
    with pytest.raises(ModelError):
        list(score_missing(layout, store))


@pytest.mark.slow
def test_a_metric_that_decides_nothing_has_no_items_and_stereotypes_are_counted_not_judged(unigram, store):
    run_id = run_of(unigram, SAMPLES / "aoa", store, task="aoa")
    layout, scores, table, _ = looked_at(run_id, store)
    assert decisions(layout, scores) is None and METRICS[layout.metric].scale == "bits"
    value = table["value"].iloc[0]
    assert match(printable(layout, scores), f"{value:.2f}").hits["of"].eq("Surprisal").any()
    assert main(["policies", run_id, "--items", "items.csv"]) == 2
    *_, last = evaluate(
        TASKS["crows_pairs"], sample(TASKS["crows_pairs"]), pairlens.recipe(unigram), store, rule="joint"
    )
    found = decisions(*looked_at(last.run_id, store)[:2])
    assert set(np.unique(found.by_way)) <= {"counts", "does not", "tie", "too close", LEFT_OUT}
    assert not {"right", "rival"} & set(found.fragile) and len(found.fragile)
    for row in found.fragile.itertuples():
        assert row.texts.startswith(("more: ", "less: ")) and " | " in row.texts


def test_the_command_line(ran, tmp_path, capsys):
    assert main(["policies", ran, "--output", str(tmp_path / "a.csv"), "--items", str(tmp_path / "b.csv")]) == 0
    out = capsys.readouterr().out
    assert "\n9 policies are not scored yet" in out and re.search("decisions holds? under all 5 policies", out)
    assert len(pd.read_csv(tmp_path / "a.csv")) >= 5 and (tmp_path / "b.csv").is_file()
    assert len(Store().runs()) == 1
    assert main(["policies", ran, "--score-missing"]) == 0
    assert "under all 14 policies" in capsys.readouterr().out
    value = Store().metrics(ran)["value"].iloc[0]
    assert main(["match", ran, f"{100 * value:.2f}%"]) == 0
    assert f" ways give {100 * value:.2f}%" in capsys.readouterr().out
    assert main(["match", ran, "many"]) == 2
    assert main(["policies", "nothing"]) == 2
    assert main(["policies", ran, "--output", "same.csv", "--items", "same.csv"]) == 2
