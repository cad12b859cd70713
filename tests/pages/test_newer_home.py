"""A home folder that a newer Pairlens wrote: one sentence on each page, and nothing in it is touched."""

import pytest

from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from pairlens.store import FORMAT, Store
from pairlens.store.files import read_json, write_json
from tests.run_of_pairs import run_of_pairs
from tests.thinned import one_of_each

READ_RUNS = ("agreement", "minimal_pairs", "nli", "results", "stereoset", "zero_shot")
"""Pages that look for runs as soon as they are opened."""
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


@pytest.mark.parametrize("name", one_of_each(PAGES, READ_RUNS.__contains__))
def test_a_newer_home_is_one_sentence(name, visit_page, home):
    run_of_pairs(Store(shipped=None))
    documents = [*settings().store.rglob("*.json")]
    for path in documents:
        write_json(path, {**read_json(path), "format": FORMAT + 1})
    before = {path: path.read_bytes() for path in documents}
    page = visit_page(name)
    said = {one.body for one in page.get("html") if "pl-notice error" in one.body}
    assert not page.exception and len(said) == (name in READ_RUNS)
    assert all("this version of Pairlens reads" in one and "update Pairlens" in one for one in said)
    assert {path: path.read_bytes() for path in documents} == before
