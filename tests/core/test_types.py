"""What a group of an item may be called: anything but the columns that Pairlens' own tables have."""

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pairlens.evaluation.requests import plan
from pairlens.policies import Policy
from pairlens.scoring.recipe import recipe_of
from pairlens.statistics.candidates import COLUMNS
from pairlens.statistics.choice import choices
from pairlens.store import Store
from pairlens.store.catalog import relations
from pairlens.store.runs import ITEMS, ItemRow
from pairlens.tasks import TASKS
from pairlens.types import TAKEN, Candidate, Item
from tests.candidate_table import candidate_table, item
from tests.refusals import error_of


def test_every_column_of_the_tables_is_taken_and_refused_before_anything_is_scored():
    table = candidate_table([item("1", 2)], lambda _, candidate: (-float(len(candidate.text)), 1))
    assert {*ITEMS.names, *COLUMNS, *choices(table, Policy())} - {"groups", "UID"} <= TAKEN
    asked = recipe_of("unigram-english")
    for name in TAKEN:
        pair = Item("seventh", (Candidate("good", "good"), Candidate("bad", "bad")), "good", {"UID": "u", name: "x"})
        said = error_of(lambda pair=pair: plan(TASKS["blimp"], [pair], asked))
        assert "'seventh'" in said and f"'given_{name}'" in said


GROUPS = st.dictionaries(st.text().filter(lambda name: name not in TAKEN), st.text(), min_size=1, max_size=4)
AWKWARD = {
    "it's": "x", 'quo"ted': "y", "": "", "groups": "z", "run_id": "r", "filename": "f", "a\nb": "\0", "é🙂": "日本",
}  # fmt: skip


@pytest.mark.slow
@settings(max_examples=settings.default.max_examples // 10)
@given(st.lists(GROUPS, min_size=10, max_size=10))
@example([AWKWARD])
def test_any_other_name_comes_back_as_it_was(tmp_path_factory, groups):
    """Of the items of a run, each with groups of its own."""
    store = Store(tmp_path_factory.mktemp("store"), shipped=None)
    rows = [ItemRow(f"i{n}", 0, "a", "a", 0, 1.0, "", "t", own, "f", "k") for n, own in enumerate(groups)]
    store.begin({"run_id": "r", "state": "done"}, rows)
    connection, items = duckdb.connect(":memory:"), store.items("r")
    for one in relations(store, tmp_path_factory.mktemp("scratch")):
        connection.execute(f"create {'table' if one.small else 'view'} {one.name} as {one.select}")
    queried = dict(connection.execute("select item_id, groups from candidates").fetchall())
    for n, own in enumerate(groups):
        assert queried[f"i{n}"] == own == {name: items[name].iloc[n] for name in own}
    for name, value in groups[0].items():
        asked = connection.execute("select groups[$name] from candidates where item_id = 'i0'", {"name": name})
        assert asked.fetchone() == (value,)
