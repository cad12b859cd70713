"""Many visitors of one real server at once: how long each waits, and whether every answer is the visitor's own.

    python -m tests.reliability.sessions 50 600        50 sessions for 600 seconds

A visitor does something every ten seconds on average: types a pair, opens Benchmarks, Results, Data or Models. After
some minutes the visitor leaves, and another comes. The memory of the server is watched meanwhile.
"""

import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from tests.browser.dashboard import serve
from tests.reliability.memory import Memory
from tests.reliability.session import Record, Session

THINKING = (5.0, 15.0)
"""Seconds between an answer and the next interaction, drawn uniformly."""
STAY = (5, 40)
"""Interactions of a visitor, drawn uniformly."""
PLACES = ("cabinet", "garden", "harbour", "kitchen", "library", "market", "meadow", "museum", "office", "station")
THINGS = ("keys", "letters", "boats", "plates", "books", "prices", "flowers", "paintings", "reports", "trains")
PAIRS = [
    (f"The {thing} of the {place} are old.", f"The {thing} of the {place} is old.")
    for thing in THINGS
    for place in PLACES
]
ELSEWHERE = ("zero_shot", "results", "data", "models")


@dataclass
class Answers(Record):
    """What all visitors saw."""

    right: int = 0

    def table(self):
        """A line per action, and how many answers were the visitor's own."""
        slowest = f"all sessions: p95 {self.quantile(0.95):.2f} s"
        return super().table(slowest, f"answers that were the visitor's own: {self.right:,}")


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
    """One visitor after another, until that moment."""
    chance = random.Random(seed)
    try:
        time.sleep(chance.uniform(0, THINKING[1]))
        while time.monotonic() < until:
            with Session(address) as visitor:
                visitor.open("")
                for _ in range(chance.randint(*STAY)):
                    _act(visitor, told, chance, record)
                    time.sleep(chance.uniform(*THINKING))
                    if time.monotonic() >= until:
                        break
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


def load(address, sessions, seconds):
    """So many visitors for so many seconds."""
    told, record = alone(address, PAIRS), Answers()
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=visit, args=(address, until, told, seed, record)) for seed in range(sessions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return record


def main(sessions, seconds):
    """Serve, load, and print the table."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder), program="streamlit") as address,
        Memory() as memory,
    ):
        print(load(address, sessions, seconds).table())
    print(memory)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
