"""Where the store lies is told neither by answers nor by messages, however its path is spelled."""

import pytest

from core.errors import InputError
from core.store import Store
from core.store.sandbox import ask
from tests.scored import FINGERPRINT, row, scored, scores

pytestmark = pytest.mark.usefixtures("asked_here")


@pytest.fixture(params=["plain", "it's", 'é日本 quo"ted/a.b c-d'])
def store(request, tmp_path):
    store = Store(tmp_path / "secret owner" / request.param / "store", shipped=None)
    store.add(FINGERPRINT, scored(a=scores(-1.0)), {})
    run = {"run_id": "r", "title": "t", "task": "pairs", "state": "done", "model": "m", "fingerprint": FINGERPRINT}
    store.begin(run, [row("a")])
    return store


def test_no_answer_and_no_message_tells_where_the_store_is(store):
    file = str(store.folder / "runs" / "r" / "items.parquet").replace("'", "''")
    told = []
    for query in (
        "select sql from duckdb_views()",
        "select * from duckdb_settings()",
        "select current_setting('allowed_paths')",
        "select path from duckdb_databases()",
        f"select file_name from parquet_metadata('{file}')",
        f"select * from read_parquet('{file}', filename = true)",
        f"select * from read_text('{file}')",
        f"select error('see {file}')",
        f"select '{file}'::integer",
        "select text::integer from items",
    ):
        try:
            told.append(str(list(ask(store, query).rows)))
        except InputError as refusal:
            told.append(str(refusal))
    assert not [said for said in told if "secret owner" in said]
    assert sum("..." in said for said in told) >= 5, "the path is told as ..., not lost by chance"
