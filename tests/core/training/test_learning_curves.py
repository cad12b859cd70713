"""Learning curves: pairs, accuracies with intervals, resumed histories, kept weights, sentences."""

import pandas as pd
import pytest

from pairlens.errors import InputError
from pairlens.statistics.intervals import wilson
from pairlens.studies import gallery
from pairlens.training import learning_curves
from pairlens.training.checkpoint import work_folder
from pairlens.training.learning_curves import COLUMNS, curves_of, headline, learnt_at, order, shares
from pairlens.training.own_models import History, Moment
from pairlens.training.recipe import Progress
from pairlens.training.recorder import Recorder, recipe_of, sample
from pairlens.training.watched_pairs import WatchedPair, as_table, read_pairs, typed_pairs
from workshop.learning_curves import gallery_pairs

pytestmark = pytest.mark.model


def test_pairs_come_from_tables_are_typed_or_of_the_gallery(save):
    table = save("a.csv", "sentence_good,sentence_bad,UID\nA cat sleeps.,A cat sleep.,agreement\n")
    assert read_pairs(table) == [WatchedPair("A cat sleeps.", "A cat sleep.", "agreement")]
    assert read_pairs(save("b.tsv", "good\tbad\nYes.\tNo.\n")) == [WatchedPair("Yes.", "No.", "b")]
    assert typed_pairs(" A. | B. \n\nC.|D.") == [WatchedPair("A.", "B."), WatchedPair("C.", "D.")]
    pairs = typed_pairs('"Come," she says. | "Come," she say.\n"A bird sings. | A\tbird sing.\n')
    assert read_pairs(save("pairs.tsv", as_table(pairs))) == pairs
    known = {example.title: example for example in gallery.examples()}
    for pair in gallery_pairs():
        example = known[pair.group]
        assert ((pair.good, pair.bad) if example.expected == "A" else (pair.bad, pair.good)) in example.pairs


def test_typed_pairs_and_tables_that_are_none_say_so(save):
    typed = {"A.": "Line 1: a bar is missing", "A. | ": "pair 1: one of the two", "A.|A.": "the same", "": "no pairs"}
    for text, words in typed.items():
        with pytest.raises(InputError, match=words):
            typed_pairs(text)
    for name, text, words in (
        ("a.csv", "x,y\n1,2\n", r"a\.csv: expected the columns good and bad.*found x, y"),
        ("b.csv", "good,bad\n" + "".join(f"{n}.,x\n" for n in range(501)), "more than the 500 that can be tested"),
    ):
        with pytest.raises(InputError, match=words):
            read_pairs(save(name, text))


def test_shares_are_those_of_the_margins_with_wilson_intervals_and_what_learning_curves_say():
    seen = [(1, 10, "g", "a", "b", margin) for margin in (1.0, -1.0, 0.0, float("nan"))]
    (row,) = shares(pd.DataFrame(seen, columns=list(COLUMNS))).to_dict("records")
    assert (row["right"], row["n"], row["value"]) == (1.5, 3, 0.5)
    assert (row["low"], row["high"]) == wilson(1.5, 3)
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
    sentence = "90 % right and more from then on: early after 2 thousand tokens, late after 3 thousand tokens."
    assert order(points) == sentence
    assert order(points[points["group"] == "never"]) == ""


def test_a_history_that_resumes_has_every_step_once_and_the_seconds_up_to_its_checkpoint(tmp_path):
    history = History(tmp_path)
    history.begin([("g", "a", "b")])
    for step, margin in ((1, 0.5), (5, 1.0), (9, 2.0), (5, 1.5), (8, 3.0)):
        history.add(Moment(step=step, tokens=step * 10, fraction=0.1, seconds=1.0, margins=(margin,)))
    with (tmp_path / "history.jsonl").open("a") as file:
        file.write('{"step": 12, "tok')
    assert [moment.step for moment in history.moments()] == [1, 5, 5, 8]
    curves = curves_of(tmp_path)
    assert curves[["step", "margin"]].values.tolist() == [[1, 0.5], [5, 1.5], [8, 3.0]]
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


def test_learning_curves_that_ship_are_small_and_causal_models_write_where_masked_ones_do_not(tiny):
    paths = learning_curves.shipped_curves().values()
    assert paths and sum(path.stat().st_size for path in paths) < 2_000_000
    for path in paths:
        table = learning_curves.read_curves(path)
        assert 12 <= table["step"].nunique() <= 25
        assert table.groupby("step").size().nunique() == 1
        assert table["margin"].notna().all()
    first, again = (sample(recipe_of(tiny("llama")).open(), seed=3) for _ in range(2))
    assert first and first == again
    assert sample(recipe_of(tiny("bert")).open(), seed=3) == ""
