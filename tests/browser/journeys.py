"""Whole jobs of five people, from first page to exported figure: `python -m tests.browser.journeys FOLDER [USER]`.

Each step takes one numbered picture and says what axe-core finds; at the end stands a table: user, steps, clicks and
seconds in all, until the first headline, until another one. A click is a press of the mouse button; a typed field
counts as one, a file as two, an entry of a list as two. JOURNEY_THEME=dark, JOURNEY_WIDTH=390: on a phone at night.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.conftest import AXE
from tests.browser.dashboard import serve
from tests.browser.visitor import Visitor, start
from tests.tiny import tiny_model

WIDTH, THEME = int(os.environ.get("JOURNEY_WIDTH", "1280")), os.environ.get("JOURNEY_THEME", "light")
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36"
NOUNS = ("key", "label", "picture", "report", "door", "window", "letter", "horse")
ENTAILMENT = """frase1;frase2;rotulo
Uma mulher está cozinhando.;Uma mulher não está cozinhando.;contradição
Um cachorro corre no parque.;Um animal corre no parque.;implicação
O menino come uma maçã.;O menino lê um livro.;neutro
Dois homens tocam violão.;Homens tocam um instrumento.;implicação
A menina está dormindo.;A menina está acordada.;contradição
Um homem lê um jornal.;Uma mulher vende flores.;neutro
"""
TRIPLES = (("nurse", "profession", "kind", "loud"), ("farmer", "profession", "quiet", "young"),
           ("pilot", "profession", "brave", "small"), ("poor", "profession", "good", "happy"))  # fmt: skip


@dataclass
class Person:
    """Somebody at work: every method is one step, and ends with a picture of what is seen then."""

    visitor: Visitor
    folder: Path
    scratch: Path
    name: str
    steps: int = 0
    clicks: int = 0
    began: float = field(default_factory=time.monotonic)
    answers: dict[str, str] = field(default_factory=dict)

    def spent(self) -> str:
        """So far, but for the time in which pictures are taken and axe-core looks."""
        return f"{self.clicks:>8}{time.monotonic() - self.began:>9.0f}"

    def opens(self, what: str, path: str) -> None:
        """Start at this address."""
        self.visitor.open(path)
        self._see(what, 0)

    def goes(self, page: str) -> None:
        """To a page, by the menu."""
        if WIDTH < 768:
            self.visitor.all('[data-testid="stExpandSidebarButton"]')[0].click()
        self.visitor.until(lambda: self._followed(page), reason=f"no page {page}")
        self.visitor.until(lambda: [one.text for one in self.visitor.all("h1")] == [page], 60, f"{page} did not open")
        self._see(f"goes to {page}", 1 + (WIDTH < 768))

    def back(self, words: str) -> None:
        """By the browser's button, to a page that says these words."""
        self.visitor.driver.back()
        self.visitor.reads(words)
        self._see("goes back", 1)

    def presses(self, what: str, label: str, words: str = "") -> None:
        """A button, after which the page says these words."""
        self.visitor.press(label)
        self._see(what, 1, words)

    def types(self, what: str, *fields: tuple[str, str], words: str = "") -> None:
        """Into these fields."""
        for label, typed in fields:
            self.visitor.type(label, typed)
            time.sleep(0.3)
        self._see(what, len(fields), words)

    def chooses(self, what: str, label: str, entry: str, *, instead: bool = False) -> None:
        """An entry of a list; `instead` of what is chosen there."""
        box = self._field(label)
        box.click()
        box.send_keys(*[Keys.BACKSPACE] * instead, entry)
        self.visitor.until(lambda: self.visitor.all("[role=option]"), reason=f"no {entry}")
        box.send_keys(Keys.ENTER)
        self.visitor.settle()
        self.visitor.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        self._see(what, 2 + instead)

    def gives(self, what: str, file: Path, words: str = "") -> None:
        """A file."""
        self.visitor.give(file)
        self._see(what, 2, words)

    def turns(self, name: str) -> None:
        """To a tab."""
        self.visitor.tab(name)
        self._see(f"opens the tab {name}", 1)

    def points(self, what: str, mark: str, words: str) -> None:
        """At a mark of a chart that is described so, clicks it, and reads these words."""
        self.visitor.point(f'path[aria-label*="{mark}"]', words)
        self._see(what, 1)

    def takes(self, *labels: str) -> None:
        """Files out of the open Download menu, the last one on the page."""
        for label in labels:
            self._take(label)
        self._see(f"takes {' and '.join(labels)}", len(labels))

    def _take(self, label: str) -> None:
        before = self._arrived()
        self._press_in_menu(label)
        self.visitor.until(lambda: self._arrived() - before, reason=f"no {label}")
        for new in self._arrived() - before:
            print(f"    {label}: {new.name} ({new.stat().st_size:,} bytes)")

    def saves(self) -> None:
        """By the button of the open menu."""
        self._press_in_menu("Save")
        self._see("saves", 1)

    def _press_in_menu(self, label: str) -> None:
        buttons = '[data-testid="stPopoverBody"] button'
        shown = lambda: next((one for one in self.visitor.all(buttons) if one.text == label), None)  # noqa: E731
        self.visitor.click(shown, f"no {label} in the menu")

    def _arrived(self) -> set[Path]:
        return {one for one in self.scratch.iterdir() if one.suffix != ".crdownload" and one.stat().st_size}

    def _followed(self, page: str) -> bool:
        links = [e for e in self.visitor.all('a[data-testid$="NavLink"]') if e.is_displayed() and page in e.text]
        if links:
            links[0].click()
        return bool(links)

    def _field(self, label: str) -> WebElement:
        fields = self.visitor.all('[data-testid="stMultiSelect"], [data-testid="stSelectbox"]')
        return next(one for one in fields if label in one.text).find_element("css selector", "input")

    def _see(self, what: str, clicks: int, words: str = "") -> None:
        if words:
            self.visitor.reads(words, 90)
        time.sleep(0.5)
        self.visitor.settle(60)
        self.steps, self.clicks, ended = self.steps + 1, self.clicks + clicks, time.monotonic()
        for headline in self.visitor.all(".pl-headline")[:1]:
            self.answers.setdefault(headline.text, self.spent())
        plain = "".join(one if one.isalnum() else "-" for one in what)
        self.visitor.driver.save_screenshot(str(self.folder / f"{self.name}-{self.steps:02}-{plain}.png"))
        wrong = [*self.visitor.errors(), *self.visitor.violations(AXE.read_text("utf-8"))]
        print(f"{self.steps:>4} {what:<30}{self.spent()}", *wrong, sep="\n     !! ")
        self.began += time.monotonic() - ended


def teacher(me: Person) -> None:
    """A syntax teacher: one pair, then an example, another language, a benchmark, and a figure of her own pair."""
    me.opens("opens Compare", "/")
    me.types("types a pair", ("A", "The author of the books is here."), ("B", "The author of the books are here."))
    me.presses("opens the gallery", "Gallery")
    me.presses("takes attraction", "The letters in the drawer", "drawer")
    me.chooses("changes the model", "Model", "french-small", instead=True)
    me.presses("takes a participle", "A participle", "écrites")
    me.goes("Benchmarks")
    me.back("écrites")
    me.back("drawer")
    me.presses("opens Share", "Share")
    me.presses("opens Download", "Download")
    me.takes("PDF")


def psycholinguist(me: Person) -> None:
    """A psycholinguist with a 2 x 2 table that has items, but no pairs."""
    table = me.folder / "attraction.csv"
    rows = [
        f"{item},{number},{side},The {noun} near the {other} {verb} old ."
        for item, noun in enumerate(NOUNS, 1)
        for number, other in (("singular", "cabinet"), ("plural", "cabinets"))
        for side, verb in (("grammatical", "is"), ("ungrammatical", "are"))
    ]
    table.write_text("\n".join(["item,attractor,grammaticality,sentence", *rows]))
    me.opens("opens Your experiment", "/minimal_pairs")
    me.presses("chooses Upload", "Upload")
    me.gives("uploads a table", table, "‘grammatical’ should win")
    me.turns("Interaction")
    me.goes("Models")
    me.back("‘grammatical’ should win")
    me.turns("All policies")
    me.turns("Pairs")
    me.presses("opens Save to Results", "Save to Results")
    me.saves()
    me.presses("opens Download", "Download")
    me.takes("CSV", "SVG")
    me.goes("Results")


def student(me: Person) -> None:
    """A doctoral student with three checkpoints of a model of hers."""
    folder = me.folder / "checkpoints"
    for seed, name in enumerate(("chck_1M", "chck_2M", "final")):
        tiny_model(folder / name, "gpt2", seed=seed)
    me.opens("opens Benchmarks", "/zero_shot")
    me.chooses("adds a model", "Model", "unigram-english")
    me.presses("runs it", "Run", "test of exchanging answers")
    me.turns("Checkpoints")
    me.types("names the folder", ("a model on the hub", str(folder)))
    me.presses("runs the checkpoints", "Run all checkpoints", "Order of learning")
    me.goes("Results")
    me.presses("opens Differences", "Differences", "What differs in the recipe")
    me.presses("opens Download", "Download")
    me.takes("CSV", "PDF")


def brazilian(me: Person) -> None:
    """A Brazilian who works on entailment, with a table of his own, in Portuguese."""
    table = me.folder / "inferencia.csv"
    table.write_text(ENTAILMENT)
    me.opens("opens Entailment", "/nli")
    me.presses("in Portuguese", "Português", "conta como paráfrase")
    pair = (("Premissa (a)", "Uma mulher está cozinhando."), ("Hipótese (b)", "Uma mulher não está cozinhando."))
    me.types("types a pair", *pair, words="contradição")
    me.points("clicks a cell of the rules", "SICK × ASSIN: ", "· modelo ")
    me.presses("chooses Upload", "Enviar")
    me.gives("uploads a table", table, "inferencia")
    me.presses("asks the model", "Perguntar aos modelos", "macro-F1")
    me.presses("opens Download", "Baixar")
    me.takes("CSV", "Excel")


def critic(me: Person) -> None:
    """A researcher of bias, with our sample and with triples of her own."""
    own = me.folder / "own.json"
    own.write_text(_triples())
    me.opens("opens Stereotypes", "/stereoset")
    me.turns("Triples")
    me.turns("Definitions")
    me.turns("Terms")
    me.presses("chooses Upload", "Upload")
    me.gives("uploads triples of her own", own)
    me.presses("runs them", "Run", "SS")
    me.presses("opens Download", "Download")
    me.takes("CSV", "PDF")


def _triples() -> str:
    """Harmless triples in StereoSet's format."""
    made = []
    for n, (term, kind, stereotype, other) in enumerate(TRIPLES):
        for first in ("The", "A", "That"):
            name, said = f"{first}{n}", {"stereotype": stereotype, "anti-stereotype": other, "unrelated": "table"}
            sentences = [
                {"id": f"{name}{gold}", "sentence": f"{first} {term} was {word}.", "gold_label": gold, "labels": []}
                for gold, word in said.items()
            ]
            context = f"{first} {term} was BLANK."
            made.append({"id": name, "target": term, "bias_type": kind, "context": context, "sentences": sentences})
    return json.dumps({"version": "1.0", "data": {"intrasentence": made, "intersentence": []}})


USERS = {one.__name__: one for one in (teacher, psycholinguist, student, brazilian, critic)}


def main(folder: Path, names: list[str]) -> None:
    """Let these users do their jobs, each with an empty home, and say what it took."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"user           steps{'  clicks  seconds' * 3}"]
    for name in names:
        with tempfile.TemporaryDirectory() as scratch, serve(Path(scratch)) as address:
            files = Path(scratch) / "files_for_paper"
            files.mkdir()
            driver = start(Path(scratch) / "profile")
            try:
                downloads = {"behavior": "allow", "downloadPath": str(files)}
                driver.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
                visitor = Visitor(driver, address)
                visitor.theme(THEME)
                visitor.width(WIDTH)
                if WIDTH < 768:  # Streamlit closes its menu where it knows a phone by its name
                    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", {"userAgent": PHONE})
                print(f"{name}: {USERS[name].__doc__}")
                USERS[name](me := Person(visitor, folder, files, name))
                lines.append("".join((f"{name:<15}{me.steps:>5}", me.spent(), *[*me.answers.values()][:2])))
            finally:
                driver.save_screenshot(str(folder / f"{name}-end.png"))
                driver.quit()
    print("\n".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(USERS))
