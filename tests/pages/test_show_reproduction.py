"""A run to take away: the report, what the programs are for, which there are not and why."""

from streamlit.testing.v1 import AppTest

import pairlens
from pairlens.places import FOLDER as ROOT
from tests.on_page import words


def test_what_can_be_made_is_explained_and_the_rest_too(unigram):
    def script(run_id: str) -> None:
        from pages.components.results.stored_run import show_reproduction
        from pages.components.shared.tables import show_tabs

        show_tabs({"Report and code": lambda: show_reproduction(run_id)})

    run_id = pairlens.benchmark(ROOT / "data" / "samples" / "blimp", unigram).run_id
    page = AppTest.from_function(script, args=(run_id,), default_timeout=300).run()
    assert [button.proto.label for button in page.get("download_button")] == ["Report"]
    assert "minicons: not available for this run" in words(page)
    assert "lm-evaluation-harness: not available for this run" in words(page)
