"""A server as the model of a page: its answer, its state, and what it cannot say."""

import pytest

from pairlens.models import folder_list, served
from pairlens.servers import connection
from tests.fake_server import fake_server
from tests.on_page import errors, markup, press

pytestmark = pytest.mark.model
PAIR = {"a": "The horses are tired.", "b": "The horses is tired."}


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(connection, "_PAUSES", (0.0,))
    served._dialect.cache_clear()
    served._connection.cache_clear()


def test_a_typed_pair_is_answered_by_a_server_whose_state_is_shown(compare_page):
    with fake_server() as server:
        page = compare_page(model=server.address, **PAIR)
        again = page.run()
    own = compare_page(model="english-small", **PAIR)
    headline = "Prefers A by"
    assert headline in markup(page) and headline in markup(own) and not errors(page)
    shown = markup(again)
    assert "small at 127.0.0.1:" in shown and "by vLLM 0.32.0, self-test passed 20" in shown


def test_what_comes_next_and_where_it_is_decided_needs_the_model_itself(compare_page):
    with fake_server() as server:
        page = compare_page(model=server.address, **PAIR)
        page.selectbox(key="place").set_value(3).run()
        assert not page.exception and "next word" in markup(page).lower()


def test_a_wrong_server_is_refused_in_one_sentence(compare_page):
    with fake_server(fault="zeros") as server:
        page = compare_page(model=server.address, **PAIR)
    assert any("as if each were certain" in one for one in errors(page)) and "Prefers" not in markup(page)


def test_a_server_is_added_to_the_list_of_models(visit_page):
    with fake_server() as server:
        page = visit_page("models", named=server.address)
        assert "served model, vLLM 0.32.0; it answers" in markup(page) and not errors(page)
        press(page, "Add to the list")
        table = page.run().dataframe[0].value.set_index("name")
        assert table.loc[server.address, "origin"] == "a server" and not errors(page)
    assert folder_list.contains(server.address)
