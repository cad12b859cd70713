"""Checkpoints by name, and one benchmark on each of them."""

import math
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pairlens
from pairlens.analysis.checkpoints import acquisition, acquisition_order, curve
from pairlens.errors import ModelError, StoreError
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.sweep import sweep
from pairlens.models import find, hub
from pairlens.scoring.checkpoints import Checkpoint, checkpoints, seen
from pairlens.store import Store, sweeps
from pairlens.store.sweeps import DONE, REFUSED, WAITING, Point, Sweep
from pairlens.tasks import TASKS
from tests.core.scoring.test_checkpoints import folders
from tests.records import write
from tests.refusals import error_of

PAIRS = [
    ("The key is here.", "The key are here.", "agreement"),
    ("The keys are here.", "The keys is here.", "agreement"),
    ("No author has ever written.", "An author has ever written.", "npi"),
    ("Nobody would ever believe it.", "They would ever believe it.", "npi"),
]


@pytest.mark.parametrize(
    ("name", "words", "unit"),
    [
        ("chck_1M", 1_000_000, "words"),
        ("chck_1.5B", 1_500_000_000, "words"),
        ("chck_250", 250, "words"),
        ("global_step_20K", 20_000, "steps"),
        ("iter_0000500", 500, "steps"),
        ("step1000-tokens4B", 1000, "steps"),
        ("tokens-4B", 4_000_000_000, "tokens"),
        ("checkpoint-500", 500, "steps"),
        ("checkpoint-10M", 10_000_000, "words"),
        ("main", None, "words"),
        ("epoch-3", None, "words"),
    ],
)
def test_what_a_checkpoint_had_seen_is_read_off_its_name(name, words, unit):
    assert seen(name) == (words, unit)


@pytest.fixture
def run_folder(tmp_path):
    """Folders with a config each, as far as names go."""
    (tmp_path / "runs" / "logs").mkdir(parents=True)
    return folders(tmp_path / "runs", "chck_10M", "chck_9M", "chck_1M", "final")


def names(found):
    return [one.name for one in found]


def refusal(*arguments):
    return error_of(lambda: checkpoints(*arguments), ModelError)


def test_a_folder_of_checkpoints_in_the_order_of_training_where_words_and_steps_share_no_axis(run_folder):
    everything = ["chck_1M", "chck_9M", "chck_10M", "final"]
    assert names(checkpoints(str(run_folder))) == everything
    assert names(checkpoints(str(run_folder), ["all"])) == everything
    assert names(checkpoints(str(run_folder), ["chck_*"])) == everything[:3]
    assert names(checkpoints(str(run_folder), ["final, chck_9M", "chck_9M"])) == ["chck_9M", "final"]
    (one,) = checkpoints(str(run_folder), ["chck_1M"])
    assert one.source == str(run_folder / "chck_1M")
    later = ["chck_1M", "final", "chck_9M", "chck_10M"]
    assert names(checkpoints(str(run_folder), [], {"final": 5_000_000})) == later
    assert "share no axis" in refusal(str(folders(run_folder, "checkpoint-500")))
    corrected = checkpoints(str(run_folder), ["all"], {"checkpoint-500": 2_000_000})
    assert names(corrected)[:2] == ["chck_1M", "checkpoint-500"]


def test_a_folder_that_is_a_model_itself_and_what_has_no_revisions_are_one_checkpoint(run_folder):
    (run_folder / "config.json").write_text("{}")
    assert checkpoints(str(run_folder)) == [Checkpoint("main", str(run_folder))]
    assert names(checkpoints(str(run_folder), ["all"]))[-1] == "main"
    for name in ("english-small", "some-lab/tiny"):
        assert checkpoints(name) == [Checkpoint("main", name)]
    assert [one.words for one in checkpoints("unigram-english", words={"main": 5})] == [5]


def test_a_copy_of_word_counts_is_a_model_wherever_it_lies(home, unigram, tmp_path):
    copy = str(shutil.copytree(home / "models" / unigram, tmp_path / "copy"))
    (found,) = checkpoints(copy)
    assert found == Checkpoint("main", copy) and find(found.source).weights == find(unigram).weights
    assert checkpoints(copy, ["all"]) == [found]
    (tmp_path / "copy" / "card.json").unlink()
    (alone,) = checkpoints(copy)
    with pytest.raises(ModelError, match=r"word counts without their card\.json"):
        find(alone.source)


def test_what_is_not_there_is_named_with_what_is(run_folder, tmp_path, unigram):
    here = "has no revision 'chck_2M'. It has chck_10M, chck_1M, chck_9M, final."
    assert here in refusal(str(run_folder), ["chck_2M"])
    assert "has no revision 'step*'" in refusal(str(run_folder), ["step*"])
    assert "has no revision 'chck_3M'" in refusal(str(run_folder), ["all"], {"chck_3M": 3})
    (tmp_path / "empty").mkdir()
    assert "holds no checkpoints" in refusal(str(tmp_path / "empty"))
    assert "in one version only" in refusal(unigram, ["chck_1M"])
    assert "no revision 'mian'" in refusal(unigram, (), {"mian": 5})
    assert "names a revision already" in refusal("some-lab/tiny@main", ["chck_1M"])


# The hub


@pytest.fixture
def hub_cache(tmp_path, monkeypatch):
    """The references of a hub model as its client keeps them."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    refs = tmp_path / "hub" / "models--some-lab--tiny" / "refs"
    (refs / "runs").mkdir(parents=True)
    for name in ("main", "chck_1M", "runs/chck_2M"):
        (refs / name).write_text("0" * 40)
    return refs


@pytest.fixture
def online(monkeypatch, limit):
    from huggingface_hub import HfApi, constants

    def answering(answer):
        limit("offline", 0)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(HfApi, "list_repo_refs", lambda self, repo: answer())

    return answering


def test_branches_and_tags_of_a_hub_model(hub_cache, online):
    branches, tags = (
        [SimpleNamespace(name=name) for name in some]
        for some in (("main", "chck_10M", "chck_1M"), ("chck_5M", "main"))
    )
    online(Mock(return_value=SimpleNamespace(branches=branches, tags=tags)))
    assert hub.revisions("some-lab/tiny") == ("main", "chck_10M", "chck_1M", "chck_5M")
    found = checkpoints("some-lab/tiny", ["all"])
    assert names(found) == ["chck_1M", "chck_5M", "chck_10M", "main"]
    assert found[0].source == "some-lab/tiny@chck_1M"
    assert "has no revision 'chck_7M'" in refusal("some-lab/tiny", ["chck_7M"])


def test_cached_references_where_the_hub_is_not_asked_or_does_not_answer_and_none_for_a_commit(hub_cache, online):
    cached = ("chck_1M", "main", "runs/chck_2M")
    assert hub.revisions("some-lab/tiny") == cached
    online(Mock(side_effect=OSError("Name or service not known")))
    assert hub.revisions("some-lab/tiny") == cached
    assert "the model hub cannot be reached" in refusal("some-lab/other", ["all"])

    online(Mock(side_effect=AssertionError("the network was used")))
    commit = "a" * 40
    assert checkpoints("some-lab/tiny", [commit])[0].source == f"some-lab/tiny@{commit}"


# Sweeps


@pytest.fixture
def data(tmp_path):
    records = ({"sentence_good": good, "sentence_bad": bad, "UID": uid} for good, bad, uid in PAIRS)
    return write(tmp_path / "pairs.jsonl", *records)


@pytest.fixture
def trained(tmp_path, tiny):
    """Three checkpoints; the second has the weights of the first."""
    first, last = tiny("gpt2"), tiny("gpt2", seed=1)
    for name, source in (("chck_1M", first), ("chck_2M", first), ("chck_3M", last)):
        shutil.copytree(source, tmp_path / "model" / name)
    return str(tmp_path / "model")


def steps_of(trained, data, store, revisions=("all",), words=None, preset="pairlens", **how):
    recipe_of = partial(pairlens.recipe, scorer="", policy=pairlens.PRESETS[preset])
    chosen = checkpoints(trained, revisions, words or {})
    return sweep(TASKS["blimp"], data, chosen, recipe_of, store, model=trained, **how)


def last_of(*asked, **how):
    return list(steps_of(*asked, **how))[-1]


def test_a_sweep_runs_each_set_of_weights_once_and_its_curve_has_the_stored_numbers_of_every_checkpoint(
    trained, data, store
):
    asked = []

    def counting(recipe):
        asked.append(Path(recipe.model.name).name)
        return list(evaluate(TASKS["blimp"], data, recipe, store))[-1]

    steps = list(steps_of(trained, data, store, run=counting))
    assert asked == ["chck_1M", "chck_3M"]
    assert [step.same_as for step in steps] == ["", "chck_1M", ""]
    record = sweeps.read(store, steps[-1].sweep_id)
    assert [(point.name, point.words, point.unit, point.state) for point in record.points] == [
        (f"chck_{n}M", n * 1_000_000, "words", DONE) for n in (1, 2, 3)
    ]
    one, two, three = record.points
    assert one.run_id == two.run_id != three.run_id
    assert one.weights == two.weights == find(f"{trained}/chck_1M").weights != three.weights
    assert len(store.runs()) == 2
    assert [other.id for other in sweeps.sweeps(store)] == [record.id]
    table = curve(store, record)
    assert tuple(table.columns) == (
        "checkpoint", "words", "unit", "run_id", "same_as", "name", "group_by", "group", "over", "value", "low",
        "high", "n", "chance",
    )  # fmt: skip
    assert table.drop_duplicates("checkpoint")["same_as"].tolist() == ["", "chck_1M", ""]
    for point in record.points:
        mine = table[table["checkpoint"] == point.name].reset_index(drop=True)
        theirs = store.metrics(point.run_id)
        assert mine["value"].tolist() == theirs["value"].tolist()
        assert set(mine["words"]) == {float(point.words)}
    assert set(table.loc[table["group_by"] == "UID", "group"]) == {"agreement", "npi"}


def test_a_damaged_checkpoint_is_listed_and_the_others_go_on(trained, data, store):
    damaged = "chck_1M"  # whose weights the second one has
    whole = (Path(trained) / damaged / "model.safetensors").read_bytes()
    (Path(trained) / damaged / "model.safetensors").write_bytes(whole[:500])
    ended = {step.checkpoint.name: step for step in steps_of(trained, data, store)}
    assert {name for name, step in ended.items() if step.refused} == {damaged}
    record = sweeps.read(store, ended["chck_2M"].sweep_id)
    states = {point.name: point.state for point in record.points}
    assert states == {name: REFUSED if name == damaged else DONE for name in ended}
    [refused] = [point for point in record.points if point.state == REFUSED]
    assert "weight file is damaged" in refused.reason and not refused.run_id and not refused.weights
    assert set(curve(store, record)["checkpoint"]) == set(ended) - {damaged}

    (Path(trained) / damaged / "model.safetensors").write_bytes(whole)
    list(steps_of(trained, data, store))
    assert {(point.state, point.reason) for point in sweeps.read(store, record.id).points} == {(DONE, "")}


def test_the_command_line_says_at_the_end_what_it_left_out(trained, data, home, tmp_path, cli):
    (Path(trained) / "chck_3M" / "model.safetensors").write_bytes(b"damaged")
    asked = ("--data_path", data, "--model_path_or_name", trained, "--output_dir", tmp_path)
    status, out, err = cli("zero-shot", *asked)
    last = err.strip().splitlines()[-1]
    assert status == 2 and "1 of 3 checkpoints left out, the others are done: chck_3M (" in last and "damaged" in last
    assert "chck_1M (1000000 words)" in out and "chck_2M has the same weights as chck_1M" in out
    assert "left out: " in out and "sweep: blimp-" in out
    assert len(sweeps.sweeps(Store())) == 1


def test_a_killed_sweep_goes_on(trained, data, store):
    stopped = steps_of(trained, data, store)
    first = next(stopped)
    next(stopped)
    stopped.close()
    record = sweeps.read(store, first.sweep_id)
    assert [point.state for point in record.points] == [DONE, DONE, WAITING]  # the second has the first one's run

    again = list(steps_of(trained, data, store))
    last = {step.checkpoint.name: step for step in again}
    assert (last["chck_1M"].progress.scored, last["chck_1M"].run_id) == (0, first.run_id)
    assert last["chck_3M"].progress.scored > 0
    assert {point.state for point in sweeps.read(store, first.sweep_id).points} == {DONE}


def test_stopping_inside_a_run_leaves_it_to_be_resumed(trained, data, store):
    def interrupted(recipe):
        for _ in evaluate(TASKS["blimp"], data, recipe, store):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(steps_of(trained, data, store, ["chck_3M"], run=interrupted))
    [run_id] = store.runs()["run_id"]
    assert store.manifest(run_id)["state"] == "cancelled"
    assert last_of(trained, data, store, ["chck_3M"]).run_id == run_id
    assert store.has_finished(run_id)


def test_a_later_call_extends_the_sweep_and_corrects_it(trained, data, store):
    one = last_of(trained, data, store, ["chck_3M"]).sweep_id
    assert last_of(trained, data, store, ["chck_1M"]).sweep_id == one
    assert [point.name for point in sweeps.read(store, one).points] == ["chck_1M", "chck_3M"]
    last_of(trained, data, store, ["chck_1M", "chck_3M"], {"chck_1M": 7_000_000})
    points = [(point.name, point.words) for point in sweeps.read(store, one).points]
    assert points == [("chck_3M", 3_000_000), ("chck_1M", 7_000_000)]
    assert last_of(trained, data, store, ["chck_1M"], preset="babylm-2025").sweep_id != one
    assert len(sweeps.sweeps(store)) == 2


@pytest.mark.parametrize("text", ["{}", '{"format": 2}', '{"format": 2, "points": [1]}', "["])
def test_a_damaged_sweep_is_left_out_and_read_no_more_than_one_that_is_none(store, text):
    (store.folder / "sweeps").mkdir(parents=True)
    (store.folder / "sweeps" / "blimp-1.json").write_text(text)
    assert sweeps.sweeps(store) == []
    for name in ("blimp-1", "blimp-0", "../secret", ""):
        with pytest.raises(StoreError):
            sweeps.read(store, name)


# Curves and the order of learning


class Decided:
    """A store that holds, for runs named after their checkpoint, which items are right (1), ties (0.5) or wrong."""

    def __init__(self, right):
        self._right = right

    def has_finished(self, run_id):
        return run_id in self._right

    def candidates(self, run_id):
        rows = [
            {"item": item, "candidate": number, "label": label, "gold": "good", "context": "", "text": label,
             "logprob": lead if label == "good" else 0.0, "n_tokens": 1, "n_scored": 1, "n_straddling": 0,
             "UID": item[0]}
            for item, outcome in self._right[run_id].items()
            for lead in [{1.0: 1.0, 0.5: 0.0, 0.0: -1.0}.get(outcome, math.nan)]
            for number, label in enumerate(("good", "bad"))
        ]  # fmt: skip
        return pd.DataFrame(rows)


def learning(**outcomes):
    """`a1="0011"`: item a1 is wrong at 1M and 2M and right from 3M; `=` is a tie, `-` not scored."""
    value = {"0": 0.0, "1": 1.0, "=": 0.5, "-": math.nan}
    length = len(next(iter(outcomes.values())))
    right = {f"run{at}": {item: value[text[at]] for item, text in outcomes.items()} for at in range(length)}
    points = tuple(Point(f"chck_{at + 1}M", (at + 1) * 10**6, "words", "", f"run{at}", DONE) for at in range(length))
    return Decided(right), Sweep("s", "m", "blimp", "joint", "d", "h", "causal", {"name": "pairlens"}, "", points)


@pytest.mark.slow
@given(st.lists(st.text("01=", min_size=4, max_size=4), min_size=1, max_size=8))
def test_learning_is_what_never_fails_again(outcomes):
    store, record = learning(**{f"a{number}": text for number, text in enumerate(outcomes)})
    table = acquisition(store, record).set_index("item")
    for number, text in enumerate(outcomes):
        first = next((at for at in range(4) if set(text[at:]) == {"1"}), None)
        words = math.inf if first is None else (first + 1) * 1e6
        assert table.loc[f"a{number}", "words"] == words
        assert table.loc[f"a{number}", ["n_right", "n"]].tolist() == [text.count("1"), 4]


def test_paradigms_in_the_order_in_which_they_are_learnt():
    known = {"a1": "0011", "a2": "0001", "b1": "1111", "b2": "0111", "b3": "0000", "c1": "0111", "c2": "0000"}
    store, record = learning(**known, c3="-111")
    order = acquisition_order(store, record)
    assert order["group"].tolist() == ["b", "a", "c"]
    assert order["words"].tolist()[:2] == [2e6, 3.5e6] and math.isnan(order["words"][2])
    assert order["learnt"].tolist() == [pytest.approx(2 / 3), 1.0, 0.5]


def test_a_repeated_checkpoint_and_one_of_unknown_age_count_nothing_and_a_task_without_right_and_wrong_has_no_order():
    store, record = learning(a1="011")
    one, two, three = record.points
    repeated = Point("chck_2.5M", 2_500_000, "words", "", two.run_id, DONE)
    unknown = Point("main", None, "words", "", three.run_id, DONE)
    waiting = Point("chck_9M", 9_000_000, "words")
    both = replace(record, points=(one, two, repeated, three, unknown, waiting))
    assert acquisition(store, both).equals(acquisition(store, record))
    with pytest.raises(StoreError, match="no finished checkpoint"):
        acquisition(store, replace(record, points=(unknown, waiting)))
    with pytest.raises(StoreError, match="no right and wrong"):
        acquisition(store, replace(record, task="reading", rule=""))
