"""What is written on a page in our own words, and what a visitor does there."""

from __future__ import annotations

import html
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect, Selectbox, Tab

from pairlens.store import jobs


def markup(page: AppTest) -> str:
    """All that is written on the page in our own words, as the browser gets it."""
    assert not page.exception
    return "\n".join(element.proto.body for element in page.get("html"))


def words(page: AppTest) -> str:
    """The same as a visitor reads it: nothing escaped."""
    return html.unescape(markup(page))


def uploaders(page: AppTest) -> list[Any]:
    """Those of the page itself: the frame's stands beside every title."""
    return [one for one in page.file_uploader if one.key != "door_files"]


def errors(page: AppTest) -> list[str]:
    """The lines that say what is wrong."""
    return [line for line in words(page).splitlines() if 'class="pl-notice error"' in line]


@contextmanager
def open_tabs(*labels: str) -> Iterator[None]:
    """Pages that are drawn meanwhile show these tabs side by side: each is drawn as if it alone were open."""
    tabs = st.tabs

    def opened(titles: list[str], **options: Any) -> Sequence[DeltaGenerator]:
        containers = tabs(titles, **options)
        for title, container in zip(titles, containers, strict=True):
            container.open = container.open or title in labels
        return containers

    with patch.object(st, "tabs", opened):
        yield


def of_tab(page: AppTest, label: str) -> Tab:
    """What is in this tab."""
    return next(tab for tab in page.tabs if tab.label == label)


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
    assert not page.exception and not errors(page)
    return [one.proto.label for one in page.get("download_button")]
