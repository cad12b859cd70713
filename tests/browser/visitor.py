"""A visitor with a real browser: opens pages of the running dashboard, waits until they have settled, looks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.forked import end_with_parent

BROWSER, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
LIMIT = 300.0
"""Seconds after which nothing more is waited for, on however busy a machine."""
PATIENCE = 10.0
"""Seconds after which a click that nothing has answered is taken for lost, and repeated."""
ROW_HEIGHT = 35
MOVED = (StaleElementReferenceException, ElementNotInteractableException, ElementClickInterceptedException)
"""An element was drawn anew, or others moved over it, in the moment between looking for it and touching it."""
SETTLED = """
const app = document.querySelector('[data-testid="stApp"]');
const charts = [...document.querySelectorAll('[data-testid="stVegaLiteChart"]')].filter(chart => chart.offsetParent);
const page = document.querySelector('[data-testid="stMainBlockContainer"]');
return !!app && app.dataset.testScriptState === 'notRunning' && app.dataset.testConnectionState === 'CONNECTED'
    && !document.querySelector('[data-testid="stSkeleton"]') && document.querySelectorAll('h1').length > 0
    && charts.every(chart => chart.querySelector('svg.marks, canvas'))
    && !document.querySelector('[data-stale="true"]')
    && (!page || getComputedStyle(page).visibility === 'visible'); // hidden while everything takes its place
"""
HARMLESS = ("/_stcore/health", "/_stcore/host-config")
"""Streamlit asks for these below a deep link's path first, and then at the root."""
AXE = """
const [rules, done] = arguments;
axe.run(document, {rules, preload: false, resultTypes: ['violations']}).then(result => done(result.violations.map(
    one => `${one.id}: ${one.help}: ${one.nodes.map(node => node.html.slice(0, 200)).join(' and ')}`)));
"""
REMEMBERING = "performance.setResourceTimingBufferSize(100_000)"
REQUESTED = """
const opened = location.protocol === 'about:' ? [] : [location.href];
return [...opened, ...performance.getEntriesByType('resource').map(one => one.name)];
"""


def start(profile: Path) -> webdriver.Chrome:
    """Debian's chromium without a window, with a profile of its own, for which there are no other hosts.

    The console says who was asked all the same. One process draws all pages of a dashboard, and none that was left
    is kept: a new process for each would compile all of Streamlit's scripts again.
    """
    options = webdriver.ChromeOptions()
    profile.mkdir(exist_ok=True)
    browser = profile / "browser"  # which ends with its driver
    browser.write_text(f'#!/bin/sh\nexec setpriv --pdeathsig TERM {BROWSER} "$@"\n')
    browser.chmod(0o700)
    options.binary_location = str(browser)
    for switch in (
        "headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "disable-quic", "no-first-run",
        "disable-background-networking", "disable-component-update", "disable-sync", "disable-default-apps",
        "force-color-profile=srgb", "process-per-site", "disable-site-isolation-trials",
        "disable-features=BackForwardCache", f"user-data-dir={profile}", "force-prefers-reduced-motion",
        # Little of what is read once and left is worth better code; what pages have in common stays compiled.
        "js-flags=--no-opt --invocation-count-for-maglev=4000 --no-flush-bytecode",
        "host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost",
    ):  # fmt: skip
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER, popen_kw={"preexec_fn": end_with_parent}))
    driver.set_script_timeout(LIMIT)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": REMEMBERING})
    return driver


@dataclass
class Visitor:
    """What a person does with the dashboard, and what they see. `address` ends without a slash."""

    driver: webdriver.Chrome
    address: str
    requested: set[str] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str = "/") -> None:
        """Go to a page and wait until it has been drawn."""
        self.listen()
        self.driver.get(self.address + path)
        self.settle()

    def go(self, page: str) -> None:
        """Go to a page by the menu and wait until it has been drawn."""

        def followed() -> bool:
            path = f"//a[@data-testid='stTopNavLink'][normalize-space(.)='{page}']"  # all links' texts are slow
            link = next(iter(self.driver.find_elements(By.XPATH, path)), None)
            if link:
                link.click()
            return bool(link)

        self.until(followed, reason=f"no '{page}'")
        self.until(lambda: self.opened() == page, reason=f"'{page}' did not open")
        self.settle()

    def opened(self) -> str:
        """What the menu calls the page that is open."""
        found = self.all('[data-testid="stTopNavLink"][aria-current="page"]')
        return found[0].text if found else ""

    def reload(self) -> None:
        """Press reload and wait until the page has been drawn again."""
        self.listen()
        self.driver.refresh()
        self.settle()

    def settle(self, seconds: float = LIMIT) -> None:
        """Wait until the script has ended and nothing on the page is from an earlier run of it."""
        self.until(lambda: self.driver.execute_script(SETTLED), seconds=seconds)

    def until(self, holds: Callable[[], Any], seconds: float = LIMIT, reason: str = "") -> Any:
        """Wait until `holds()` is true and return it; `reason` says what was waited for."""
        wait = WebDriverWait(self.driver, seconds, 0.1, MOVED)
        return wait.until(lambda _: holds(), reason)

    def all(self, selector: str) -> list[WebElement]:
        """The elements a CSS selector finds."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def button(self, label: str) -> WebElement:
        """The visible button or link that bears this label."""
        path = f"//*[self::button or self::a][contains(normalize-space(.), '{label}')]"

        def shown() -> WebElement | None:
            return next((e for e in self.driver.find_elements(By.XPATH, path) if e.is_displayed()), None)

        found: WebElement = self.until(shown, reason=f"no button '{label}'")
        return found

    def press(self, label: str) -> None:
        """Press the button or link that bears this label, once it can be pressed: perhaps a file must arrive first.

        The page may still be running afterwards.
        """
        self.until(lambda: self._pressed(label), reason=f"'{label}' cannot be pressed")

    def _pressed(self, label: str) -> bool:
        """Press it, unless it is disabled, or moves: a click would miss it."""
        button = self.button(label)
        if not button.is_enabled() or not self._still(button):
            return False
        button.click()
        return True

    def _still(self, element: WebElement) -> bool:
        """Whether an element stays where it is, once it is in the middle of the window."""
        middle = "{block: 'center', inline: 'center', behavior: 'instant'}"  # at an edge, an arrow may lie over a tab
        self.driver.execute_script(f"arguments[0].scrollIntoView({middle})", element)
        place = element.rect
        time.sleep(0.05)
        return element.rect == place

    def tab(self, name: str) -> None:
        """Open a tab whose name has these words, and wait until it has been drawn."""

        def opened() -> bool:
            tab = next((tab for tab in self.all("[role=tab]") if name in tab.text), None)
            if tab and tab.get_attribute("aria-selected") != "true" and self._still(tab):
                tab.click()
            return bool(tab and tab.get_attribute("aria-selected") == "true")

        self.until(opened, reason=f"no tab '{name}'")
        self.settle()

    def point(self, mark: str, words: str) -> None:
        """Click the first mark of a chart that this selector finds, and wait until the page answers with these words.

        A chart that is drawn anew at this moment takes no click: it is clicked again, as a person would.
        """
        marks = f'[data-testid="stVegaLiteChart"] {mark}'

        def answered() -> bool:
            self.click(lambda: next(iter(self.all(marks)), None), f"no mark {mark}")
            with suppress(TimeoutException):
                self.until(lambda: words in self.words(), PATIENCE)
            return words in self.words()

        self.until(answered, reason=f"'{words}' did not follow a click on {mark}")

    def click(self, shown: Callable[[], WebElement | None], reason: str) -> None:
        """Click an element in its middle once it is shown and stays where it is; wait until the page has answered."""

        def clicked() -> bool:
            if not (element := shown()) or not self._still(element):
                return False
            ActionChains(self.driver).move_to_element(element).click().perform()
            return True

        self.until(clicked, reason=reason)
        self.settle()

    def row(self, number: int) -> None:
        """Tick a row of the first table, from 1, and wait until the page has answered.

        A table is a picture, which takes no clicks until it has been drawn: the rows that it describes to those who
        do not see it tell when that is, and which one is ticked.
        """

        def described() -> WebElement | None:
            table = next(iter(self.all('[data-testid="stDataFrame"] canvas')), None)
            rows = table.find_elements(By.CSS_SELECTOR, f'tr[aria-rowindex="{number + 1}"]') if table else []
            return next(iter(rows), None)

        def chosen() -> bool:
            row = described()
            return bool(row and row.get_attribute("aria-selected") == "true")

        def ticked() -> bool:
            table = self.all('[data-testid="stDataFrame"] canvas')[0]
            if not described() or not self._still(table):
                return False
            left, top = (-table.size["width"] / 2 + 15, -table.size["height"] / 2 + ROW_HEIGHT * (number + 0.5))
            ActionChains(self.driver).move_to_element_with_offset(table, int(left), int(top)).click().perform()
            with suppress(TimeoutException):  # it was not ready after all
                self.until(chosen, PATIENCE)
            return chosen()

        self.until(ticked, reason=f"row {number} cannot be ticked")
        self.settle()

    def give(self, file: Path, place: int = 0) -> None:
        """Upload a file, in the first place for files or another."""
        places = "input[type=file]"
        self.until(lambda: len(self.all(places)) > place, reason="no place for files")
        self.all(places)[place].send_keys(str(file))

    def type(self, label: str, words: str) -> None:
        """Replace what is in the text field of this label, and leave the field."""

        def replaced() -> bool:  # once more if the page draws the field anew meanwhile
            if not (field := self._field(label)):
                return False
            for keys in ((Keys.CONTROL, "a"), (words,), (Keys.CONTROL, Keys.ENTER)):
                field.send_keys(*keys)
            with suppress(*MOVED):  # the words are taken, and another field stands there
                field.send_keys(Keys.TAB)
            return True

        self.until(replaced, reason=f"no field '{label}'")

    def _field(self, label: str) -> WebElement | None:
        fields = self.all("textarea[aria-label], input[aria-label]")
        return next((field for field in fields if str(field.get_attribute("aria-label")).endswith(label)), None)

    def headline(self) -> str:
        """The answer in words, once there is one that can be seen."""
        return str(self.until(lambda: next((e.text for e in self.all(".pl-headline")), ""), reason="no headline"))

    def errors(self) -> list[str]:
        """The sentences that say what is wrong, and the tracebacks, which there must never be."""
        wrong = '.pl-notice.error, [data-testid="stException"]'
        return list(self.until(lambda: ([element.text for element in self.all(wrong)],))[0])

    def violations(self, axe: str, *, contrast: bool = True) -> list[str]:
        """What axe-core finds on the page as it is."""
        if self.address.startswith("http"):
            self.settle()
        self.driver.execute_script(f"if (!window.axe) {{ {axe} }}")
        rules = {"color-contrast": {"enabled": contrast}}
        return list(self.driver.execute_async_script(AXE, rules))

    def text(self) -> str:
        """The words of the page's main part, once there are any: none are read while it takes its place."""
        return str(self.until(self.words, reason="no words"))

    def words(self) -> str:
        """Those that can be seen now, perhaps none."""
        main = "document.querySelector('[data-testid=\"stMain\"]')"  # none while another address is opened
        return str(self.driver.execute_script(f"return {main}?.innerText ?? ''"))

    def reads(self, words: str, seconds: float = LIMIT) -> bool:
        """Wait until these words are on the page; whatever stands there instead is what the test fails with."""
        try:
            return bool(self.until(lambda: words in self.words(), seconds))
        except TimeoutException:
            raise AssertionError(f"'{words}' did not appear, but:\n{self.words()}") from None

    def linked(self, words: str) -> bool:
        """Wait until these words are in the address, which follows what is on the page."""
        return bool(self.until(lambda: words in self.driver.current_url, reason=f"no '{words}' in the address"))

    def width(self, pixels: int, height: int = 900) -> None:
        """Make the visible part of the page this large, as on a device of that size."""
        metrics = {"width": pixels, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def phone(self) -> None:
        """Look at the open page on a phone."""
        self.width(390, 844)
        self.settle()

    def whole(self, width: int) -> None:
        """Make the window as high as the page, so that a picture shows all of it."""
        height = self.driver.execute_script("return document.querySelector('[data-testid=\"stMain\"]').scrollHeight")
        self.width(width, min(max(int(height), 400), 8000))
        self.settle()

    def theme(self, name: str) -> None:
        """Prefer the light or the dark theme, as the system's setting would."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def ground(self) -> str:
        """The colour of the page behind everything."""
        script = "return getComputedStyle(document.querySelector('[data-testid=\"stApp\"]')).backgroundColor"
        return str(self.driver.execute_script(script))

    def overflow(self, seconds: float = 30) -> int:
        """By how many pixels the page is wider than the window; 0 or less as soon as its layout fits."""
        script = "return document.scrollingElement.scrollWidth - window.innerWidth"
        main = "const m = document.querySelector('[data-testid=\"stMain\"]'); return m.scrollWidth - m.clientWidth"
        end = time.monotonic() + seconds
        while True:  # tables and charts take their width after the script has ended
            wider = max(self.driver.execute_script(script), self.driver.execute_script(main))
            if wider <= 0 or time.monotonic() > end:
                return int(wider)
            time.sleep(0.1)

    @contextmanager
    def slowly(self, seconds: float) -> Iterator[None]:
        """Let whatever is asked of the server take so much longer, as over a poor connection."""
        self.driver.execute_cdp_cmd("Network.enable", {})
        usual = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**usual, "latency": 1000 * seconds})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", usual)

    def forget(self) -> None:
        """Leave the page; what was logged until now, perhaps by pages of another dashboard, does not count."""
        self.driver.get("about:blank")
        self.listen()
        self.requested.clear()
        self.complaints.clear()

    def listen(self) -> None:
        """Take in what the browser knows of the open page: addresses asked for, errors on the console."""
        self.requested.update(self.driver.execute_script(REQUESTED))
        for entry in self.driver.get_log("browser"):
            if entry["level"] == "SEVERE" and not any(path in entry["message"] for path in HARMLESS):
                self.complaints.append(entry["message"])

    def strangers(self) -> set[str]:
        """Hosts other than the dashboard's that were asked for anything, by any page so far."""
        self.listen()
        hosts = {urlsplit(url).netloc for url in self.requested if not url.startswith(("data:", "blob:", "chrome"))}
        return hosts - {urlsplit(self.address).netloc}
