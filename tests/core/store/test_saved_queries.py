"""The ready questions: each runs on an empty and on a filled store, and some are checked against other ways."""

import math
import shutil

import pytest

from pairlens.cli import main
from pairlens.errors import PolicyError
from pairlens.places import FOLDER as ROOT
from pairlens.store import Store, saved_queries
from pairlens.store.sandbox import ask
from pairlens.store.saved_queries import SAVED_QUERIES, Parameter, bound, choices, placeholders, saved_query

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("unpublished", "asked_here")]


@pytest.fixture
def store(home, tmp_path, unigram, once, tmp_path_factory):
    """Two runs of our sample: one of a tiny unigram model, one of the bundled one."""
    if once:
        shutil.copytree(once["store"], home / "store")
        return Store()
    asked = ["zero-shot", "--task", "blimp", "--data_path", str(ROOT / "data" / "samples" / "blimp")]
    for model in (unigram, "unigram-english"):
        assert main([*asked, "--model", model, "--output_dir", str(tmp_path)]) == 0
    older = next(row.run_id for row in Store().runs().itertuples() if row.model != "unigram-english")
    Store().update({**Store().manifest(older), "created": "2026-01-01T00:00:00+00:00"})  # not in the same second
    once["store"] = shutil.copytree(home / "store", tmp_path_factory.mktemp("filled") / "store")
    return Store()


def answer(store, name, **given):
    return list(ask(store, SAVED_QUERIES[name].sql, bound(SAVED_QUERIES[name], store, given)).rows)


def test_there_are_enough_each_is_explained_and_its_placeholders_are_found():
    assert len(SAVED_QUERIES) >= 12
    assert len({one.title for one in SAVED_QUERIES.values()}) == len(SAVED_QUERIES)
    for one in SAVED_QUERIES.values():
        assert one.about.endswith((".", "?")) and one.title
        assert sorted(placeholders(one.sql)) == sorted(parameter.name for parameter in one.parameters)
        assert all(parameter.label for parameter in one.parameters)
        assert "'$" not in one.sql
    sql = "select $a, '$b', \"$c\", $a -- $d\n, $e_1 /* $f\n */ from x where y = 'it''s $g'"
    assert placeholders(sql) == ["a", "e_1"]
    assert Parameter("n", "integer", "N").typed("3") == 3
    assert Parameter("t", "text", "T").typed("3") == "3"


def test_each_is_answered_on_an_empty_store(home):
    store = Store()
    for one in SAVED_QUERIES.values():
        found = ask(store, one.sql, bound(one, store, {}))
        assert set(one.chart) <= {name for name, _ in found.columns}, one.name
        assert all(set(row) <= {0, None} for row in found.rows), one.name


def test_each_is_answered_on_a_filled_store_from_the_scores_of_the_runs_asked_about(store):
    """Those are all that it needs: the answer is that of the whole store."""
    first, second = store.runs()["run_id"]
    empty, narrowed = {"left_out", "straddling_tokens", "same_weights", "ties"}, []
    for one in SAVED_QUERIES.values():
        values = bound(one, store, {})
        only = saved_queries.fingerprints(one, store, values)
        narrowed.append(only)
        rows = list(ask(store, one.sql, values).rows)
        assert rows or one.name in empty, one.name
        assert only is None or list(ask(store, one.sql, values, only=only).rows) == rows, one.name
    assert None in narrowed and set(store.fingerprints_of(first)) in narrowed
    assert {*store.fingerprints_of(first), *store.fingerprints_of(second)} in narrowed
    assert len(store.fingerprints()) == 2


def test_the_numbers_of_the_answers_are_those_of_the_store_and_of_numpy(store):
    first, second = store.runs()["run_id"]
    metrics = store.metrics(first)
    overall = metrics[(metrics["name"] == "accuracy") & (metrics["group_by"] == "overall")].iloc[0]
    rows = answer(store, "accuracy_by_group", run=first, metric="accuracy", group_by="overall")
    assert rows[0][1] == overall["value"]
    by_length = answer(store, "accuracy_by_length", run=first)
    items = sum(row[1] for row in by_length)
    assert items == overall["n"]
    assert math.isclose(sum(row[1] * row[2] for row in by_length) / items, overall["value"])
    flipped = answer(store, "right_here_wrong_there", run=first, other=second, most="1000")
    margins = {run: _margins(store, run) for run in (first, second)}
    expected = {item for item, margin in margins[first].items() if margin > 0 > margins[second][item]}
    assert {row[0] for row in flipped} == expected and expected
    import numpy as np

    first, second = store.runs()["run_id"]
    tables = [store.candidates(run).drop_duplicates("text").set_index("text")["logprob"] for run in (first, second)]
    (row,) = answer(store, "correlation_of_two_runs", run=first, other=second)
    both = np.array([tables[0], tables[1].loc[tables[0].index]])
    assert row[0] == len(tables[0])
    assert math.isclose(row[1], np.corrcoef(both)[0, 1], abs_tol=1e-9)
    assert math.isclose(row[2], (both[0] - both[1]).mean() / math.log(2), abs_tol=1e-9)


def _margins(store, run):
    table = store.candidates(run).pivot(index="item", columns="label", values="logprob")
    return (table["good"] - table["bad"]).to_dict()


def test_a_word_is_found_in_its_contexts_with_the_surprisal_of_its_tokens(store):
    run = store.runs()["run_id"].iloc[0]
    rows = answer(store, "word_in_contexts", run=run, word="The", most="1000")
    texts = set(store.items(run)["text"])
    expected = sum(word.strip(".,").lower() == "the" for text in texts for word in text.split())
    assert len(rows) == expected > 50
    manifest, items = store.manifest(run), store.items(run)
    one = items[items["text"] == rows[0][3]].iloc[0]
    tokens = store.token_scores(manifest["fingerprint"], {one["request_key"]})[one["request_key"]]
    surprisals = [-value / math.log(2) for value, token in zip(tokens.logprobs, tokens.tokens, strict=True)
                  if token.lower().strip("Ġ▁ ") == "the"]  # fmt: skip
    assert any(math.isclose(rows[0][0], value) for value in surprisals)


def test_parameters_are_chosen_from_the_store_and_checked(store):
    asked = saved_query("two-runs-by-group")
    first, second = store.runs()["run_id"]
    usual = bound(asked, store, {})
    assert usual == {"run": first, "other": second, "metric": "accuracy", "group_by": "UID"}
    assert list(choices(asked.parameters[1], store, {"run": second})) == [first]
    for given, said in (({"run": "nonsense"}, "There is no first run"), ({"rum": "x"}, "Did you mean 'run'")):
        with pytest.raises(PolicyError, match=said):
            bound(asked, store, given)
    with pytest.raises(PolicyError, match="needs a number"):
        bound(saved_query("ties"), store, {"threshold": "small"})
    with pytest.raises(PolicyError, match="Did you mean 'hardest_items'"):
        saved_query("hardest_itms")
