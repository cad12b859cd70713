"""A lesson played through by six phones: two real browsers, and four that are no more than their requests."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from selenium.webdriver import Chrome

from tests.browser.visitor import LIMIT, Visitor, start
from tests.class_server import Phone, lesson, serve_class

HEIGHT = 760


@pytest.fixture
def server(browser_present, home):
    home.mkdir()
    with serve_class(home, lesson()) as running:
        yield running


@pytest.fixture
def teacher(arrive, server):
    """With the link from the terminal open."""
    arrived = arrive(server.address)
    arrived.driver.get(server.link)
    arrived.settle()
    return arrived


@pytest.fixture
def tabs(server, tmp_path_factory):
    """Two phones: another browser, with cookies of its own, is another phone."""
    drivers = [start(tmp_path_factory.mktemp("phone")) for _ in range(2)]
    yield [Tab(driver, server.address) for driver in drivers]
    for driver in drivers:
        driver.quit()


class Tab(Visitor):
    """The phones' page in a real browser, 390 pixels wide: it has nothing of Streamlit."""

    def __init__(self, driver: Chrome, address: str) -> None:
        super().__init__(driver, address)
        self.width(390, HEIGHT)

    def settle(self, seconds: float = LIMIT) -> None:
        """It is drawn at once."""

    def words(self) -> str:
        return str(self.driver.execute_script("return document.body?.innerText ?? ''"))

    def join(self, code: str) -> None:
        """By typing address and code."""
        self.open("")
        self.reads("Join the class")
        self.all("input")[0].send_keys(code.lower())
        self.all("button")[0].click()
        self.reads("You are in.")

    def choose(self, text: str) -> None:
        """Once the vote is open: perhaps it was a moment ago."""
        self.until(
            lambda: [one for one in self.all("button.choice") if one.text.endswith(text)], reason=f"no '{text}'"
        )[0].click()
        self.reads("Counted.")

    def wide(self) -> int:
        """By how many pixels the page is wider than the phone."""
        return int(self.driver.execute_script("return document.documentElement.scrollWidth - innerWidth"))


def press(teacher: Visitor, label: str) -> None:
    """Press a button of the bar and wait for the page."""
    selector = f".st-key-class_{label.replace(' ', '-')} button"
    teacher.until(lambda: teacher.all(selector), reason=f"no '{label}'")[0].click()
    teacher.until(lambda: not teacher.all(selector) or label == "Back", reason=f"'{label}' did nothing")
    teacher.settle()


def nothing_but_the_phones_page(server, phone: Phone, tab: Tab) -> None:
    """Without the teacher's link."""
    for path in (
        "/classroom", "/compare", "/data", "/results", "/models", "/_stcore/health", "/_stcore/host-config",
        "/_stcore/metrics", "/_stcore/upload_file/x/y", "/media/x", "/static/js/index.js", "/app.py",
        "/join/../app.py", "/join/phone_routes.py", "/teacher", "/teacher?key=", "/teacher?key=wrong",
        "/class/", "//", "/join/",
    ):  # fmt: skip
        status, said = phone.get(path)
        assert (status, str(said)[:17]) == (403, "Only the teacher "), path
    tab.driver.get(f"{server.address}/compare")
    assert tab.text().startswith("Only the teacher of this class")


def test_a_lesson_with_six_phones(server, teacher, tabs, axe):
    """On screen and phones axe-core finds nothing, before a vote, during it and after."""
    first, late = tabs
    code = server.room.code
    assert code in teacher.text() and urlsplit(server.address).netloc in teacher.text()
    assert teacher.all("img.pl-qr")[0].size["width"] > 200
    first.join(code)
    plain = [Phone(server.port) for _ in range(3)]
    for phone in plain:
        assert phone.join(code)[0] == 200
    teacher.reads("4 phones have joined.")
    nothing_but_the_phones_page(server, plain[0], late)

    press(teacher, "Begin")
    first.reads("The vote opens soon.")
    assert teacher.violations(axe) == first.violations(axe) == []
    press(teacher, "Open the vote")
    first.reads("Which sentence")
    assert teacher.violations(axe) == first.violations(axe) == []
    first.choose("The horses is tired.")
    first.choose("The horses are tired.")  # the last one counts
    for number, phone in enumerate(plain):
        assert phone.vote(1, "AB"[number % 2])[0] == 200
    late.driver.get(f"{server.address}/join?c={code}")  # by the QR code
    late.reads("Which sentence is better?")
    late.choose("The horses is tired.")
    teacher.reads("5 votes")
    assert "prefers" not in teacher.text() + first.text()
    first.driver.refresh()
    first.reads("Counted.")
    assert first.all('[aria-pressed="true"]')[0].text.split("\n")[-1] == "The horses are tired."
    teacher.reload()
    teacher.reads("5 votes")
    press(teacher, "Show the answer")
    first.reads("3 of 5 · your choice")
    late.reads("2 of 5 · your choice")
    first.reads("english-small prefers this by 1.0 bits.")
    assert teacher.violations(axe) == first.violations(axe) == []
    late.theme("dark")
    assert late.violations(axe) == []
    assert "The verb agrees." in late.text()
    teacher.reads("3 of 5 (60 %)")
    latest = Phone(server.port)
    assert latest.join(code)[0] == 200
    assert latest.vote(1, "B") == (409, {"error": "The vote on this step is closed."})

    press(teacher, "Next")
    press(teacher, "Open the vote")
    late.driver.execute_cdp_cmd("Network.enable", {})
    gone = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    server.stop(kill=True)  # and nothing is lost
    late.reads("No connection. Trying again")
    late.driver.execute_cdp_cmd("Network.emulateNetworkConditions", gone)
    server.start()
    late.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**gone, "offline": False})
    late.until(lambda: "No connection" not in late.text(), reason="it says that there is no connection")
    teacher.driver.get(server.link)
    teacher.settle()
    for tab in tabs:
        tab.reads("2 of 4")
        tab.choose("The letters in the drawer were old.")
    for phone in [*plain, latest]:
        assert phone.vote(2, "A")[0] == 200
    teacher.reads("6 votes")
    press(teacher, "Show the answer")
    press(teacher, "Next")
    press(teacher, "Open the vote")
    first.choose("was")
    press(teacher, "Show the answer")
    press(teacher, "Next")
    press(teacher, "Open the vote")
    assert plain[0].vote(4, "Were")[0] == 200
    for tab, word in zip(tabs, ("were", "<b>rust</b>"), strict=True):
        tab.reads("How does it go on?")
        tab.all("input")[0].send_keys(word)
        tab.all("button.go")[0].click()
        if word.isalpha():
            tab.reads("Counted.")
    late.reads("Type one word")
    late.all("input")[0].clear()
    late.all("input")[0].send_keys("rust")
    late.all("button.go")[0].click()
    late.reads("Counted.")
    press(teacher, "Show the answer")
    first.reads("2 of 3")
    assert "rust" not in teacher.text() and "(other words)" in teacher.text()
    press(teacher, "Class against model")
    teacher.reads("The class is right in 2 of 3 steps, the model in 2; both err in 1.")
    first.reads("The class is over.")

    room = server.room
    assert len(room.phones) == 6
    assert [len(votes) for votes in room.votes] == [5, 6, 1, 3]
    assert all(tab.wide() <= 0 for tab in tabs) and teacher.overflow() <= 0
    assert not teacher.errors() and not teacher.strangers()
