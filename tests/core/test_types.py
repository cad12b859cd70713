"""What a group of an item may be called: anything but the columns that Pairlens' own tables have."""

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.policies import Policy
from core.runs.requests import plan
from core.statistics.candidates import COLUMNS
from core.statistics.choice import choices
from core.store import Store
from core.store.catalog import relations
from core.store.runs import ITEMS, ItemRow
from core.tasks import TASKS
from core.types import TAKEN, Candidate, Item
from tests.benchmarks.generate import recipe
from tests.candidate_table import candidate_table, item
from tests.refusals import error_of


def test_every_column_of_the_tables_is_taken_and_refused_before_anything_is_scored():
    table = candidate_table([item("1", 2)], lambda _, candidate: (-float(len(candidate.text)), 1))
    assert {*ITEMS.names, *COLUMNS, *choices(table, Policy())} - {"groups", "UID"} <= TAKEN
    asked = recipe("small")
    for name in TAKEN:
        pair = Item("seventh", (Candidate("good", "good"), Candidate("bad", "bad")), "good", {"UID": "u", name: "x"})
        said = error_of(lambda pair=pair: plan(TASKS["blimp"], [pair], asked))
        assert "'seventh'" in said and f"'given_{name}'" in said


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 4)
@given(st.dictionaries(st.text().filter(lambda name: name not in TAKEN), st.text(), min_size=1, max_size=4))
@example(
    {"it's": "x", 'quo"ted': "y", "": "", "groups": "z", "run_id": "r", "filename": "f", "a\nb": "\0", "é🙂": "日本"}
)
def test_any_other_name_comes_back_as_it_was(tmp_path_factory, groups):
    store = Store(tmp_path_factory.mktemp("store"), shipped=None)
    store.begin({"run_id": "r", "state": "done"}, [ItemRow("i", 0, "a", "a", 0, 1.0, "", "t", groups, "f", "k")])
    assert {name: store.items("r")[name].iloc[0] for name in groups} == groups
    connection = duckdb.connect(":memory:")
    for one in relations(store, tmp_path_factory.mktemp("scratch")):
        connection.execute(f"create {'table' if one.small else 'view'} {one.name} as {one.select}")
    for name, value in groups.items():
        found = connection.execute("select groups[$name] from candidates", {"name": name}).fetchone()
        assert found == (value,)
