"""Runs: each distinct text is scored once, a stopped run goes on, the same question is the same run."""

import dataclasses
import itertools
import math
import shutil
from pathlib import Path
from unittest.mock import Mock

import duckdb
import pytest

from pairlens.errors import InputError, StoreError
from pairlens.evaluation.evaluate import Context, evaluate, save
from pairlens.evaluation.evaluate import run as run_plan
from pairlens.evaluation.requests import plan
from pairlens.evaluation.result import read
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.scoring.into_store import scores_now
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store, runs
from pairlens.store.parts import SCORES
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import pair
from pairlens.types import PLAIN, Extras, Model, Request, ScorerKind
from tests.run_of_pairs import Counting


class Remembering(Counting):
    def __init__(self):
        super().__init__()
        self.asked = []

    def score(self, requests, extras=PLAIN):
        self.asked += requests
        return super().score(requests, extras)


@pytest.fixture(scope="module", autouse=True)
def opened_once():
    """Not here: each test has a scorer of its own, which remembers what it is asked."""


@pytest.fixture
def scorer():
    return Remembering()


@pytest.fixture
def recipe(scorer):
    model = Model("m", "causal", Path(), "w", "t", "c", card={"characters": "abcdefghijklmnopqrstuvwxyz .'"})
    kind = ScorerKind("counting", 1, "", frozenset({"causal"}), ("first_token",), lambda model, policy: scorer)
    return Recipe(model, kind, Policy())


ITEMS = [pair(f"p{n}", f"a good one {n}", f"a bad one {n % 3}") for n in range(10)]


def run(items, recipe, store, **options):
    *_, last = run_plan(plan(TASKS["pairs"], items, recipe), Context(store, **options))
    return last


def failing(recipe):
    """The same on a device that is not there."""
    explode = Mock(side_effect=OSError("no such device"))
    return dataclasses.replace(recipe, kind=dataclasses.replace(recipe.kind, open=explode))


@pytest.mark.slow
def test_each_distinct_text_is_scored_once_and_asking_again_opens_nothing_keeps_how_long_it_took_and_may_rescore(
    scorer, recipe, store
):
    first = run(ITEMS, recipe, store)
    assert (first.total, first.scored, first.reused) == (13, 13, 0)
    assert len(scorer.asked) == len(set(scorer.asked)) == 13
    provenance = store.parts(recipe.fingerprint)[0].about["provenance"]
    assert (provenance["device"], provenance["model"]) == ("cpu", "m")
    unopened = dataclasses.replace(recipe.kind, open=lambda model, policy: pytest.fail("opened"))
    again = run(ITEMS, dataclasses.replace(recipe, kind=unopened), store)
    assert (again.scored, again.reused, again.run_id) == (0, 13, first.run_id)
    assert len(store.runs()) == 1
    before = store.manifest(first.run_id)
    run(ITEMS, recipe, store, title="Another name")
    assert store.manifest(first.run_id) == {**before, "title": "Another name"}
    assert run(ITEMS, recipe, store, rescore=True).scored == 13
    assert len(scorer.asked) == 26


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 6])
def test_a_run_stopped_after_any_chunk_goes_on_to_the_same_result(scorer, recipe, store, limit, after):
    limit("chunk_requests", 2)
    planned = plan(TASKS["pairs"], ITEMS, recipe)
    stopped = run_plan(planned, Context(store))
    for _ in itertools.islice(stopped, after):
        pass
    stopped.close()
    assert store.manifest(planned.run_id)["state"] == "cancelled"
    last = run(ITEMS, recipe, store)
    assert last.reused == 2 * (after - 1)
    assert len(scorer.asked) == 13
    undisturbed = Store(store.folder / "other", shipped=None)
    run(ITEMS, recipe, undisturbed)
    one, other = (s.candidates(planned.run_id) for s in (store, undisturbed))
    assert one.equals(other)


def test_a_failing_scorer_leaves_the_reason_in_the_run_and_one_that_was_finished_as_it_is(recipe, store):
    with pytest.raises(OSError, match="no such device"):
        run(ITEMS, failing(recipe), store)
    assert store.runs()[["state", "error"]].iloc[0].tolist() == ["failed", "no such device"]
    run_id = run(ITEMS, recipe, store).run_id
    before = store.manifest(run_id)
    with pytest.raises(OSError, match="no such device"):
        run(ITEMS, failing(recipe), store, rescore=True)
    again = run_plan(plan(TASKS["pairs"], ITEMS, recipe), Context(store, rescore=True))
    next(again)
    again.close()
    assert store.manifest(run_id) == before


@pytest.mark.slow
def test_tables_that_cannot_be_published_do_not_undo_a_run(published, recipe, store, caplog):
    (store.folder / "results.duckdb" / "in the way").mkdir(parents=True)
    run_id = run(ITEMS, recipe, store).run_id
    assert store.manifest(run_id)["state"] == "done"
    assert "could not be updated" in caplog.text


@pytest.mark.slow
def test_whoever_finishes_a_run_publishes_the_tables(published, recipe, store):
    run_id = run(ITEMS, recipe, store).run_id
    path = store.folder / "results.duckdb"
    with duckdb.connect(str(path), read_only=True) as connection:
        found = connection.execute("select run_id, state, value from runs").fetchall()
    assert found == [(run_id, "done", store.manifest(run_id)["value"])]
    written = path.stat().st_mtime_ns
    run(ITEMS, recipe, store)
    assert path.stat().st_mtime_ns == written, "nothing was new, nothing is written"


def test_scores_that_vanish_during_a_run_are_no_reason_to_leave_items_out(recipe, store, monkeypatch):
    monkeypatch.setattr(store, "known", lambda fingerprint, **_: set())
    with pytest.raises(StoreError, match="13 scores were damaged"):
        run(ITEMS, recipe, store)
    assert store.runs()["state"].tolist() == ["failed"]


def test_the_run_id_follows_data_scores_and_policy(recipe):
    task = TASKS["pairs"]
    reference = plan(task, ITEMS, recipe).run_id
    assert plan(task, ITEMS, recipe).run_id == reference
    assert plan(task, ITEMS[1:], recipe).run_id != reference
    ties = dataclasses.replace(recipe, policy=Policy(ties="wrong"))
    assert plan(task, ITEMS, ties).run_id != reference
    assert ties.fingerprint == recipe.fingerprint
    one, other = ([pair("p0", "a good one", "a bad one", {"UID": uid})] for uid in ("u", "v"))
    assert plan(task, one, recipe).run_id != plan(task, other, recipe).run_id, "groups are part of the data"


@pytest.mark.slow
def test_columns_may_have_the_names_of_our_own_tables(tmp_path, recipe, store):
    plain, named = tmp_path / "plain.csv", tmp_path / "named.csv"
    pairs = [f"a good one {n},a bad one {n}" for n in range(4)]
    plain.write_text("\n".join(["good,bad", *pairs]))
    first = read(store, [*evaluate(TASKS["pairs"], plain, recipe, store)][-1].run_id)
    statistics = METRICS["accuracy"].statistics(first.candidates, recipe.policy)
    ours = {*runs.ITEMS.names, *SCORES.names} - {"groups"}
    for frame in (first.candidates, statistics, first.items, first.undecided, first.paradigms):
        ours |= set(frame.columns)
    ours = sorted(ours - {"UID", "contrast"})  # which names clusters
    ours.append("kind")
    named.write_text("\n".join([",".join(["good", "bad", *ours]), *(pair + ",x" * len(ours) for pair in pairs)]))
    second = read(store, [*evaluate(TASKS["pairs"], named, recipe, store)][-1].run_id)
    assert second.metrics.equals(first.metrics)
    assert second.items[first.items.columns].equals(first.items)
    assert (second.candidates[["given_item", "kind"]] == "x").all(axis=None)


def test_scores_now_keeps_order_writes_nothing_and_looks_up_what_is_stored(scorer, recipe, store):
    requests = [Request("", "b"), Request("", "a"), Request("", "b"), Request("ab", " c")]
    scores = scores_now(requests, recipe, store)
    assert [one.tokens for one in scores] == [("b",), ("a",), ("b",), ("ab", "c")]
    assert len(scorer.asked) == 3
    assert not store.folder.exists()
    save(ITEMS[:1], recipe, store)
    before = len(scorer.asked)
    request = Request("", ITEMS[0].candidates[0].text)
    (stored,) = scores_now([request], recipe, store, Extras(boundary=True))
    assert len(scorer.asked) == before
    assert stored.boundary_logprobs is not None
    scores_now([request], recipe, store, Extras(top=5))
    assert len(scorer.asked) == before + 1


@pytest.mark.slow
def test_typed_pairs_are_saved_as_a_run(recipe, store):
    run_id = save(ITEMS[:2], recipe, store, title="my pairs")
    manifest = store.manifest(run_id)
    assert (manifest["title"], manifest["state"]) == ("my pairs", "done") and not math.isnan(manifest["value"])
    assert store.candidates(run_id)["logprob"].notna().all()
    metrics = store.metrics(run_id)
    for link in ("data=x&region=whole", ""):
        assert save(ITEMS[:2], recipe, store, link=link) == run_id
        assert store.manifest(run_id).get("link", "") == link and store.manifest(run_id)["title"] == "my pairs"
    assert store.metrics(run_id).equals(metrics)


def test_the_text_policy_is_applied_before_the_key_and_a_leading_space_only_without_context(scorer, recipe, store):
    curly, straight = scores_now([Request("", "it’s"), Request("", "it's")], recipe, store)
    assert curly == straight
    assert len(scorer.asked) == 1
    as_typed = dataclasses.replace(recipe, policy=Policy(text="as-typed"))
    assert scores_now([Request("", "it’s")], as_typed, store)[0].tokens == ("it’s",)

    spaced = dataclasses.replace(recipe, policy=Policy(leading_space=True))
    assert spaced.request(Request("", "a")) == Request("", " a")
    assert spaced.request(Request("b", "a")) == Request("b", "a")


def test_a_text_that_cannot_be_scored_costs_its_item_only(scorer, recipe, store):
    def refuse(requests, extras=None):
        if any("bad one 1" in request.text for request in requests):
            raise InputError("'[MASK]' is a special token of this model")
        return Remembering.score(scorer, requests, extras or PLAIN)

    scorer.score = refuse
    last = run(ITEMS, recipe, store)
    manifest = store.manifest(last.run_id)
    assert (last.done, last.scored, manifest["state"]) == (13, 12, "done")
    assert manifest["refused"] == {f"p{n}": "'[MASK]' is a special token of this model" for n in (1, 4, 7)}
    assert (manifest["n"], manifest["excluded"]) == (7, 3)
    with pytest.raises(InputError, match="special token"):
        scores_now([Request("", "a bad one 1")], recipe, store)


@pytest.mark.slow
def test_scores_that_ship_stay_with_a_run_when_the_next_version_ships_without_them(scorer, recipe, tmp_path):
    with_shipped = Store(tmp_path / "mine", shipped=tmp_path / "shipped")
    last = run(ITEMS, recipe, Store(tmp_path / "shipped", shipped=None))
    before = sorted((tmp_path / "shipped").rglob("*"))
    scorer.asked.clear()
    run(ITEMS[:5], recipe, with_shipped)
    run(ITEMS, recipe, with_shipped)
    assert not scorer.asked and sorted((tmp_path / "shipped").rglob("*")) == before
    shutil.rmtree(tmp_path / "shipped")
    own = Store(tmp_path / "mine", shipped=None)
    assert own.candidates(last.run_id)["logprob"].notna().all()
    assert sum(part.about["requests"] for part in own.parts(recipe.fingerprint)) == last.total
    run(ITEMS, recipe, own)
    assert not scorer.asked


def test_looking_at_scores_that_ship_writes_nothing_and_ones_own_count_before_them(recipe, tmp_path):
    run(ITEMS, recipe, Store(tmp_path / "shipped", shipped=None))
    store = Store(tmp_path / "mine", shipped=tmp_path / "shipped")
    scores_now([Request("", "a good one 1")], recipe, store)
    assert plan(TASKS["pairs"], ITEMS, recipe).missing(store) == 0
    assert not (tmp_path / "mine").exists()
    run(ITEMS, recipe, store, rescore=True)
    assert not [part for part in store.parts(recipe.fingerprint) if part.name[0] == "x"]
