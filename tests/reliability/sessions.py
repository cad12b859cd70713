"""Many visitors of one real server at once: how long each waits, and whether every answer is the visitor's own.

    python -m tests.reliability.sessions 50 600        50 sessions for 600 seconds

A visitor does something every ten seconds on average: types a pair, opens Benchmarks, Results, Data or Models. Two
tabs of a real Chromium, where there is one, do the same meanwhile and are measured from typing to reading.
"""

import random
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.browser.dashboard import serve
from tests.browser.visitor import BROWSER, Visitor, start
from tests.reliability.session import Session

THINKING = (5.0, 15.0)
"""Seconds between an answer and the next interaction, drawn uniformly."""
TABS = 2
PLACES = ("cabinet", "garden", "harbour", "kitchen", "library", "market", "meadow", "museum", "office", "station")
THINGS = ("keys", "letters", "boats", "plates", "books", "prices", "flowers", "paintings", "reports", "trains")
PAIRS = [
    (f"The {thing} of the {place} are old.", f"The {thing} of the {place} is old.")
    for thing in THINGS
    for place in PLACES
]
ELSEWHERE = ("zero_shot", "results", "data", "models")


@dataclass
class Record:
    """What all visitors saw: seconds by action; what was wrong, in words."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)
    right: int = 0

    def quantile(self, share, *actions):
        """The quantile of these actions' seconds, of all but those in Chromium if none is named."""
        chosen = actions or [name for name in self.seconds if not name.startswith("chromium")]
        return float(np.quantile([one for name in chosen for one in self.seconds[name]], share))

    def table(self):
        """A line per action."""
        lines = [f"{'action':22}{'n':>7}{'p50':>8}{'p95':>8}{'max':>8}  seconds"]
        for name in sorted(self.seconds):
            times = self.seconds[name]
            lines.append(
                f"{name:22}{len(times):>7}" + "".join(f"{np.quantile(times, q):>8.2f}" for q in (0.5, 0.95, 1))
            )
        lines.append(f"all sessions: p95 {self.quantile(0.95):.2f} s")
        lines.append(f"answers that were the visitor's own: {self.right:,}; wrong: {len(self.wrong)}")
        return "\n".join([*lines, *self.wrong[:10]])


def headline(text):
    """The answer in words, out of a page."""
    return next((line for line in text.splitlines() if "pl-headline" in line), "")


def alone(address, pairs):
    """What a visitor who is alone is told about each pair."""
    told = {}
    with Session(address) as visitor:
        visitor.open("")
        for pair in pairs:
            visitor.put(A=pair[0], B=pair[1])
            told[pair] = headline(visitor.text)
            assert told[pair], f"no answer to {pair}"
        for page in ELSEWHERE:
            visitor.open(page)
    return told


def visit(address, until, told, seed, record):
    """One visitor, until that moment."""
    chance = random.Random(seed)
    try:
        with Session(address) as visitor:
            time.sleep(chance.uniform(0, THINKING[1]))
            visitor.open("")
            while time.monotonic() < until:
                _act(visitor, told, chance, record)
                time.sleep(chance.uniform(*THINKING))
    except Exception as error:
        record.wrong.append(f"session {seed} ended: {error!r}")


def _act(visitor, told, chance, record):
    """Three times out of five a pair, typed on the page; else another page and back."""
    if chance.random() < 0.6:
        pair = chance.choice(list(told))
        visitor.put(A=pair[0], B=pair[1])
        record.seconds["types a pair"].append(visitor.seconds)
        _check(pair, told[pair], visitor, record)
    else:
        page = chance.choice(ELSEWHERE)
        visitor.open(page)
        record.seconds[f"opens {page}"].append(visitor.seconds)
        record.wrong += visitor.exceptions
        visitor.open("")
        record.seconds["opens compare"].append(visitor.seconds)


def _check(pair, expected, visitor, record):
    if headline(visitor.text) == expected and not visitor.exceptions:
        record.right += 1
    else:
        record.wrong.append(f"{pair}: {headline(visitor.text)!r} instead of {expected!r} {visitor.exceptions[:1]}")


def look(address, until, told, seed, record):
    """The same in a tab of a real browser, by keyboard and menu."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as profile:
        driver = start(Path(profile))
        try:
            visitor = Visitor(driver, address)
            visitor.width(1280)
            visitor.open("/")
            while time.monotonic() < until:
                (good, bad), began = chance.choice(list(told)), time.monotonic()
                visitor.type("A", good)
                visitor.type("B", bad)
                words = good.split()[1], good.split()[4]
                visitor.until(
                    lambda words=words: any(
                        all(word in strip.text for word in words) for strip in visitor.all(".pl-strip")[:1]
                    ),
                    60,
                )
                visitor.settle(60)
                record.seconds["chromium: types a pair"].append(time.monotonic() - began)
                began = time.monotonic()
                visitor.go("Results")
                record.seconds["chromium: Results"].append(time.monotonic() - began)
                visitor.go("Compare")
                time.sleep(chance.uniform(*THINKING))
        except Exception as error:
            record.wrong.append(f"chromium ended: {error!r}")
        finally:
            driver.quit()


def load(address, sessions, seconds):
    """So many visitors for so many seconds."""
    told, record = alone(address, PAIRS), Record()
    until = time.monotonic() + seconds
    visitors = [lambda seed=seed: visit(address, until, told, seed, record) for seed in range(sessions)]
    if Path(BROWSER).exists():
        visitors += [lambda seed=seed: look(address, until, told, 1000 + seed, record) for seed in range(TABS)]
    threads = [threading.Thread(target=one) for one in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return record


def main(sessions, seconds):
    """Serve, load, and print the table."""
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as address:
        print(load(address, sessions, seconds).table())


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
