"""The report as somebody opens it who was sent the file: no server, no network, light and dark, wide and narrow."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By

import pairlens
from pairlens.evaluation.evaluate import Context, run
from pairlens.evaluation.requests import plan
from pairlens.evaluation.result import read
from pairlens.reports.run_report import html_report
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import Candidate, Item

HOSTILE = "<script>document.title='taken'</script><img src=http://example.org/x onerror=alert(1)> \u202eשלום 🙂"


@pytest.fixture
def report(unigram, tmp_path):
    """A report of two runs on pairs whose texts look like code."""
    pairs = [
        Item(f"{HOSTILE} {number}", (Candidate(f"The horses are tired. {HOSTILE}", "good"), Candidate("is", "bad")),
             "good", {"UID": f"{HOSTILE} {number % 3}"})
        for number in range(9)
    ]  # fmt: skip
    results = []
    for ties in ("half", "wrong"):
        recipe = pairlens.recipe(unigram, policy=pairlens.PRESETS["pairlens"].but(ties=ties))
        *_, last = run(plan(TASKS["pairs"], pairs, recipe), Context(Store(), data="typed", title=HOSTILE))
        results.append(read(Store(), last.run_id))
    path = tmp_path / "report.html"
    path.write_text(html_report(results, Store()), "utf-8")
    return path


def test_the_report_is_read_without_a_server(arrive, driver, report):
    reader = arrive("file://")
    driver.get(report.as_uri())
    grounds = {}
    for theme in ("light", "dark"):
        for width in (1280, 390):
            reader.theme(theme)
            reader.width(width)
            assert driver.execute_script("return document.scrollingElement.scrollWidth - window.innerWidth") <= 0
            grounds[theme] = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert grounds["light"] != grounds["dark"]
    assert driver.title.startswith("2 runs on")
    assert HOSTILE.split(" \u202e")[0] in driver.find_element(By.TAG_NAME, "body").text
    assert driver.find_elements(By.TAG_NAME, "svg")
    assert not driver.find_elements(By.CSS_SELECTOR, "script, img, link")
    reader.listen()
    assert {url for url in reader.requested if not url.startswith(("data:", "chrome"))} == {report.as_uri()}
    assert not reader.complaints
