"""Learning curves: pairs, accuracies with intervals, resumed histories, kept weights, sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from core.errors import InputError
from core.statistics.intervals import wilson
from core.studies import gallery
from core.training.checkpoint import work_folder
from core.training.corpus import Corpus
from core.training.from_scratch import train
from core.training.history import History, Moment
from core.training.learning_curves import (
    COLUMNS,
    PAIR,
    curves_of,
    headline,
    learnt_at,
    order,
    read_curves,
    shares,
    shipped_curves,
)
from core.training.own_models import write_own_card
from core.training.recipe import Progress
from core.training.recorder import Recorder, margins, recipe_of, sample
from core.training.watched_pairs import GALLERY, WatchedPair, as_table, read_pairs, typed_pairs
from tests.core.training.test_training import sentences
from tests.core.training.test_training import tiny as tiny_recipe
from workshop.learning_curves import gallery_pairs, make_curves, watched_pairs, write_curves

pytestmark = pytest.mark.model

Save = Callable[..., Path]


def test_pairs_come_from_tables_and_are_typed(save: Save) -> None:
    table = save("a.csv", "sentence_good,sentence_bad,UID\nA cat sleeps.,A cat sleep.,agreement\n")
    assert read_pairs(table) == [WatchedPair("A cat sleeps.", "A cat sleep.", "agreement")]
    assert read_pairs(save("b.tsv", "good\tbad\nYes.\tNo.\n")) == [WatchedPair("Yes.", "No.", "b")]
    assert typed_pairs(" A. | B. \n\nC.|D.") == [WatchedPair("A.", "B."), WatchedPair("C.", "D.")]


def test_typed_pairs_are_read_back_from_their_table(save: Save) -> None:
    pairs = typed_pairs('"Come," she says. | "Come," she say.\n"A bird sings. | A\tbird sing.\n')
    assert read_pairs(save("pairs.tsv", as_table(pairs))) == pairs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A.", "Line 1: a bar is missing"),
        ("A. | ", "pair 1: one of the two"),
        ("A.|A.", "the same"),
        (" ", "no pairs"),
    ],
)
def test_typed_pairs_that_are_none_say_where(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        typed_pairs(text)


def test_tables_of_pairs_that_are_none_say_so(save: Save) -> None:
    with pytest.raises(InputError, match=r"a\.csv: expected the columns good and bad.*found x, y"):
        read_pairs(save("a.csv", "x,y\n1,2\n"))
    with pytest.raises(InputError, match="more than the 500 that can be tested"):
        read_pairs(save("b.csv", "good,bad\n" + "".join(f"{n}.,x\n" for n in range(501))))


def test_the_better_sentence_of_a_gallery_pair_is_the_expected_one() -> None:
    known = {example.title: example for example in gallery.examples()}
    for pair in gallery_pairs():
        example = known[pair.group]
        assert ((pair.good, pair.bad) if example.expected == "A" else (pair.bad, pair.good)) in example.pairs


def test_shares_are_those_of_the_margins_with_wilson_intervals() -> None:
    rows = [(1, 10, "g", "a", "b", margin) for margin in (1.0, -1.0, 0.0, float("nan"))]
    (row,) = shares(pd.DataFrame(rows, columns=list(COLUMNS))).to_dict("records")
    assert (row["right"], row["n"], row["value"]) == (1.5, 3, 0.5)
    assert (row["low"], row["high"]) == wilson(1.5, 3)


def test_what_learning_curves_say() -> None:
    rows = [
        {"step": step, "tokens": 1_000 * step, "group": group, "right": 10 * value, "n": 10, "value": value}
        for group, values in (("early", (0.5, 0.9, 1.0)), ("late", (1.0, 0.5, 0.9)), ("never", (0.4, 0.9, 0.6)))
        for step, value in enumerate(values, start=1)
    ]
    points = pd.DataFrame(rows)
    assert [learnt_at(points, group) for group in ("early", "late", "never")] == [2_000, 3_000, None]
    assert headline(points, "it") == "After 3 thousand tokens, it gets 25 of 30 pairs right; guessing would get 15."
    many = points.assign(tokens=points["tokens"] * 440_000)
    assert headline(many, "it").startswith("After 1.3 billion tokens, ")
    assert (
        order(points)
        == "90 % right and more from then on: early after 2 thousand tokens, late after 3 thousand tokens."
    )
    assert order(points[points["group"] == "never"]) == ""


def test_a_history_that_resumes_has_every_step_once(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.begin([("g", "a", "b")])
    for step, margin in ((1, 0.5), (5, 1.0), (9, 2.0), (5, 1.5), (8, 3.0)):
        history.add(Moment(step=step, tokens=step * 10, fraction=0.1, seconds=1.0, margins=(margin,)))
    with (tmp_path / "history.jsonl").open("a") as file:
        file.write('{"step": 12, "tok')
    assert [moment.step for moment in history.moments()] == [1, 5, 5, 8]
    curves = curves_of(tmp_path)
    assert curves[["step", "margin"]].values.tolist() == [[1, 0.5], [5, 1.5], [8, 3.0]]


def test_a_training_that_goes_on_keeps_the_seconds_up_to_its_checkpoint(tmp_path: Path) -> None:
    folder = work_folder(tmp_path / "model")
    folder.mkdir()
    for step, seconds in ((4, 30.0), (9, 70.0)):
        History(folder).add(Moment(step=step, tokens=step, fraction=0.1, seconds=seconds, loss=2.0))
    recorder = Recorder(tmp_path / "model", [], "causal")
    for step in (6, 7):
        recorder.see(Progress("training", 0.5, step, loss=1.0, validation_loss=1.0))
    moments = History(folder).moments()
    assert [one.step for one in moments] == [4, 6, 7]
    assert all(30 <= one.seconds < 60 for one in moments[1:]), "what a kill undid at step 9 does not count"


def test_learning_curves_are_made_from_kept_weights(tmp_path: Path, save: Save) -> None:
    text = save("text.txt", "\n".join(sentences(400)))
    recipe, model = tiny_recipe(steps=6, snapshots=3), tmp_path / "model"
    *_, last = train(recipe, [text], model)
    write_own_card(model, "model", recipe, Corpus(tuple(sentences(400))), last, "a text")
    table = make_curves(model, tmp_path / "model.snapshots")
    assert table["step"].unique().tolist() == [1, 6], "two of the three moments fall on the first step"
    pairs, titles = watched_pairs()
    final = table[table["step"] == 6]
    assert final[PAIR].tolist() == titles and (final["group"] == GALLERY).sum() == len(gallery_pairs())
    finished = recipe_of(model)
    assert final["margin"].tolist() == pytest.approx(margins(pairs, finished, finished.open()), abs=2e-3)
    assert (final["tokens"] == 6 * recipe.batch_tokens).all()
    read = read_curves(write_curves(table, "model", tmp_path / "curves"))
    pd.testing.assert_frame_equal(read, table, check_dtype=False)
    card = json.loads((model / "card.json").read_text("utf-8"))
    card["before"] = {"training": {"steps": 10, "tokens_seen": 1000}}
    (model / "card.json").write_text(json.dumps(card), "utf-8")
    later = make_curves(model, tmp_path / "model.snapshots")
    assert (later["step"] - 10).tolist() == table["step"].tolist()
    assert (later["tokens"] - 1000).tolist() == table["tokens"].tolist()
    with pytest.raises(InputError, match=r"no files step-NUMBER\.safetensors"):
        make_curves(model, tmp_path)


def test_the_last_weights_of_a_training_by_minutes_are_kept(tmp_path: Path, save: Save) -> None:
    text = save("text.txt", "\n".join(sentences(400)))
    recipe = replace(tiny_recipe(steps=1, snapshots=2), steps=None, minutes=0.01)
    *_, last = train(recipe, [text], tmp_path / "model")
    kept = {path.name for path in (tmp_path / "model.snapshots").iterdir()}
    assert f"step-{last.step:06}.safetensors" in kept


def test_learning_curves_that_ship_are_small_and_have_a_dozen_moments_or_more() -> None:
    assert shipped_curves() and sum(path.stat().st_size for path in shipped_curves().values()) < 2_000_000
    for path in shipped_curves().values():
        table = read_curves(path)
        assert 12 <= table["step"].nunique() <= 25
        assert table.groupby("step").size().nunique() == 1
        assert table["margin"].notna().all()


def test_causal_models_write_and_masked_ones_do_not(tiny: Callable[..., Path]) -> None:
    first, again = (sample(recipe_of(tiny("llama")).open(), seed=3) for _ in range(2))
    assert first and first == again
    assert sample(recipe_of(tiny("bert")).open(), seed=3) == ""
