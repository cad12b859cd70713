"""What is written on a page in our own words, and what a visitor does there."""

from __future__ import annotations

import html
import time
from collections.abc import Iterable

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect, Selectbox

from pairlens.store import jobs


def markup(page: AppTest) -> str:
    """All that is written on the page in our own words, as the browser gets it."""
    assert not page.exception
    return "\n".join(element.proto.body for element in page.get("html"))


def words(page: AppTest) -> str:
    """The same as a visitor reads it: nothing escaped."""
    return html.unescape(markup(page))


def errors(page: AppTest) -> list[str]:
    """The lines that say what is wrong."""
    return [line for line in words(page).splitlines() if 'class="pl-notice error"' in line]


def opened(page: AppTest, tab: str, key: str = "") -> AppTest:
    """The page after a press on one of its tabs; `key` as given to `show_tabs`."""
    opens = page.session_state["open_page"] if "open_page" in page.session_state else ""  # noqa: SIM401 - AppTest's state has no `get`
    page.session_state[key or f"tab_{opens}".rstrip("_")] = tab
    return page.run()


def other_tabs(page: AppTest, among: Iterable[str]) -> list[str]:
    """The tabs that it has, without the one that is open on arrival."""
    there = [tab.label for tab in page.tabs]
    return [label for label in among if label in there][1:]


def box(page: AppTest, label: str) -> Selectbox | Multiselect:
    """The choice of this name."""
    return next(one for one in (*page.selectbox, *page.multiselect) if one.label == label)


def links(page: AppTest) -> dict[str, str]:
    """The links to other pages, by what stands on them."""
    found = [element.proto for element in page.get("page_link")]
    return {proto.label: f"{proto.page}?{proto.query_string}" for proto in found}


def press(page: AppTest, label: str) -> AppTest:
    """The page after a press on the button of this name."""
    return next(button for button in page.button if button.label == label).click().run()


def wait_for_jobs(seconds: float = 300) -> None:
    """Until everything that was started has ended, as it should."""
    deadline = time.monotonic() + seconds
    while not all(job.ended for job in jobs.jobs()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert {job.state for job in jobs.jobs()} == {"done"}, [job.error for job in jobs.jobs()]


def downloads(page: AppTest) -> list[str]:
    """The labels of what can be taken away, once every Download menu is open."""
    for toggle in page.toggle:
        if toggle.key and toggle.key.startswith("comma_of_"):
            page.session_state[toggle.key.replace("comma_of_", "download_")] = True
    page.run()
    assert not page.exception
    return [one.proto.label for one in page.get("download_button")]
