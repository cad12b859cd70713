"""Runs by language: numbers worked out by hand from the stored items, and what a tokenizer makes of words."""

import math
import shutil

import pandas as pd
import pytest

import pairlens
from pairlens.cli import main
from pairlens.errors import InputError
from pairlens.evaluation.result import read
from pairlens.evaluation.zero_shot import Benchmark, sample
from pairlens.models import resolve
from pairlens.models.unreadable import coverage
from pairlens.policies import PRESETS
from pairlens.reports.languages import ALL, by_language, findings, latex_table, ordered
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.text.languages import name_of

pytestmark = pytest.mark.model


@pytest.fixture
def results(tmp_path_factory, finished):
    """Stored scores of a bundled model: a set in twelve languages and one in Chinese."""
    if "rows" not in finished:
        store = finished["store"] = Store(tmp_path_factory.mktemp("scored"))
        for name in ("multiblimp", "zhoblimp"):
            *_, last = Benchmark(TASKS[name], sample(TASKS[name])).run(recipe_of("english-small"), store)
            finished[name] = read(store, last.run_id)
        finished["rows"] = by_language([finished["multiblimp"], finished["zhoblimp"]])
    return [finished["multiblimp"], finished["zhoblimp"]]


def test_cells_are_the_means_of_their_items_and_the_language_that_was_read_is_found_without_a_list(results, finished):
    rows = finished["rows"]
    items = pd.concat([result.items for result in results])
    for row in rows.itertuples():
        here = items[items["language"] == row.language]
        here = here if row.phenomenon == ALL else here[here["phenomenon"] == row.phenomenon]
        assert (row.n, row.value) == (len(here), pytest.approx(here["correct"].mean())), row
        assert row.low <= row.value <= row.high
    assert len(rows) == 12 * 3 + 1 + 3 and set(rows["task"]) == {"MultiBLiMP", "ZhoBLiMP"}
    rows = rows[rows["phenomenon"] == ALL].set_index("name")
    assert rows.index[rows["unread"] == ""].tolist() == ["English"]
    assert rows.loc[["Arabic", "Hebrew", "Russian", "Chinese"], "unknown"].tolist() == [1.0] * 4
    assert rows["tokens_per_word"].idxmin() == "English" and "has never read" in rows.loc["Hebrew", "unread"]


def test_orders_findings_names_of_languages_and_unknown_letters_by_hand():
    rows = pd.DataFrame(
        {"name": ["A", "B", "C"], "value": [0.5, 0.9, 1.0], "tokens_per_word": [1.0, 3.0, 2.0], "n": [2, 2, 2],
         "unread": ["", "", "no"], "model": ["m"] * 3}
    )  # fmt: skip
    assert ordered(rows, "by score")["name"].tolist() == ["B", "A", "C"]
    assert ordered(rows, "by tokens per word")["name"].tolist() == ["A", "C", "B"]
    assert ordered(rows.iloc[::-1], "by name")["name"].tolist() == ["A", "B", "C"]
    assert findings(rows)[1] == "m needs most tokens per word in B: 3.0."
    assert [name_of(code) for code in ("he", "heb", "zh", "arb", "xx-none")][:3] == ["Hebrew", "Hebrew", "Chinese"]
    assert name_of("xx-none") == "xx-none"
    model = resolve.find("english-small")
    found = coverage(["abc ж"], PRESETS["pairlens"], model)
    assert found.unknown == 1 / 4
    assert math.isnan(coverage(["123"], PRESETS["pairlens"], model).unknown)


def test_a_run_without_languages_is_refused_in_a_sentence(stored):
    with pytest.raises(InputError, match="have no language"):
        by_language([stored("pairs")])


def test_the_verb_and_the_library_write_the_same(results, finished, home, tmp_path, capsys):
    shutil.copytree(finished["store"].folder, Store().folder)
    ids = [result.manifest["run_id"] for result in results]
    assert main(["report", *ids, "--by-language", "-o", str(tmp_path / "l.csv")]) == 0
    written = (tmp_path / "l.csv").read_text("utf-8")
    assert written == pairlens.languages(ids).to_csv(index=False)
    assert main(["report", *ids, "--by-language", "-o", str(tmp_path / "l.tex")]) == 0
    assert (tmp_path / "l.tex").read_text("utf-8") == latex_table(pairlens.languages(ids))
    assert main(["report", *ids, "--by-language", "-o", str(tmp_path / "l.html")]) == 2
    assert ".tex, .csv" in capsys.readouterr().err
