"""Many phones in one class of a real server: every vote counted once, and how long each waits.

Phones do what phones do: they join late or twice, reload, sleep, and change their minds. The teacher goes through the
lesson by the buttons of the page, over a websocket as a browser does, and looks at it once a second; half-way
through, the server is killed and started again. What counts is compared, phone by phone, with what each was last told
to be counted; where the answer to a vote was lost with the server, that vote may count or the one before it.
"""

import http.client
import os
import random
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pairlens import identity
from tests.class_server import Phone
from tests.reliability.session import Record, Session

WORDS = ("were", "are", "Were", "rust", "lie")
AWAY = (OSError, http.client.HTTPException)


@dataclass
class Votes(Record):
    """What phones and teacher saw, and what each phone was last told is counted."""

    counted: dict[int, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    unsure: dict[tuple[int, int], str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    shown: dict[int, float] = field(default_factory=dict)
    votes: int = 0
    processor: float = 0.0
    stop: bool = False

    def table(self):
        """A line per action, and what became of the votes."""
        told = sum(map(len, self.counted.values()))
        votes = f"votes sent: {self.votes:,}; counted after the last change of mind: {told:,}"
        return super().table(votes, f"processor time of the server: {self.processor:.1f} s")


def timed(record, action, act):
    began = time.monotonic()
    result = act()
    record.seconds[action].append(time.monotonic() - began)
    return result


def hold(server, number, record, seed, code):
    """One phone, until the class is over."""
    chance = random.Random(seed)
    phone = Phone(server.port)
    time.sleep(chance.uniform(0, 0.5) if chance.random() < 0.8 else chance.uniform(0.5, 3))  # some are late
    turn = None
    while not record.stop:
        try:
            if not phone.cookie:
                timed(record, "joins", lambda: phone.join(code))
                record.names[number] = identity.digest(phone.cookie.partition("=")[2])[:16]
            if chance.random() < 0.05:  # reloads: page and files, and the code once more
                phone._open = None
                for file in ("/join", "/join/phone.css", "/join/phone.js"):
                    phone.get(file)
                phone.join(code)
                turn = None
            said = phone.state(turn)
            if said["turn"] != turn and turn is not None and (changed := record.shown.get(said["turn"])):
                record.seconds["a phone sees a step"].append(time.monotonic() - changed)
            turn = said["turn"]
            if said["stage"] == "end":
                return
            if said["stage"] == "open":
                _choose(phone, said, number, record, chance)
            if chance.random() < 0.05:  # sleeps
                phone._open = None
                time.sleep(chance.uniform(0.1, 1.5))
                turn = None
        except AWAY:  # the server is being started again
            time.sleep(0.1)
        except Exception as error:
            record.wrong.append(f"phone {number}: {error!r}")
            return


def _choose(phone, said, number, record, chance):
    """Vote once, or twice: the mind of a third of the phones changes."""
    step = said["step"]
    for _ in range(1 + (chance.random() < 0.33)):
        time.sleep(chance.uniform(0, 0.6))
        choice = chance.choice([one["choice"] for one in said["choices"]] or WORDS)
        record.unsure[step, number] = choice
        status, answer = timed(record, "votes", lambda choice=choice: phone.vote(step, choice))
        del record.unsure[step, number]
        record.votes += 1
        if status == 200:
            record.counted[step][number] = choice
            if answer["mine"] != choice:
                record.wrong.append(f"phone {number}, step {step}: {answer['mine']!r} instead of {choice!r}")
        elif status != 409:
            record.wrong.append(f"phone {number}, step {step}: {status} {answer}")


def teach(server, record, seconds):
    """The teacher: opens each step for its share of the time, shows the answer, and starts the server again once."""
    room = server.room
    cookie = {"Cookie": f"pairlens_teacher={room.key}"}
    each, middle = seconds / room.last, room.last // 2 + 1
    teacher = Session(server.address, cookie).__enter__()
    teacher.open("classroom")
    _press(teacher, "Begin", server, record)
    for number in range(1, room.last + 1):
        until = time.monotonic() + each
        _press(teacher, "Open the vote", server, record)
        while time.monotonic() < until:
            time.sleep(min(1.0, max(0.0, until - time.monotonic())))
            timed(record, "the teacher's page", partial(teacher.open, "classroom"))
        if number == middle:
            teacher.__exit__()
            record.processor += processor(server)
            server.stop(kill=True)
            server.start()
            teacher = Session(server.address, cookie).__enter__()
            teacher.open("classroom")
        _press(teacher, "Show the answer", server, record)
        _press(teacher, "Next" if number < room.last else "Class against model", server, record)
        record.wrong += teacher.exceptions
    teacher.__exit__()
    record.processor += processor(server)


def processor(server):
    """Seconds of processor that the server has taken since it was started; 0 where the system does not say so."""
    try:
        fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError):
        return 0.0


def _press(teacher, label, server, record):
    record.shown[server.room.turn + 1] = time.monotonic()
    timed(record, "the teacher steps", lambda: teacher.press(label))


def load(server, phones, seconds):
    """So many phones for so many seconds; then everything that was counted is compared."""
    record, code = Votes(), server.room.code
    threads = [threading.Thread(target=hold, args=(server, number, record, number, code)) for number in range(phones)]
    for thread in threads:
        thread.start()
    time.sleep(1.0)
    try:
        teach(server, record, seconds)
    finally:
        record.stop = True
        for thread in threads:
            thread.join()
    _compare(server, record)
    return record


def _compare(server, record):
    """What is on disk with what the phones were told."""
    room = server.room
    if room.phones != {*record.names.values()}:
        record.wrong.append(f"{len(room.phones)} phones on disk, {len(record.names)} have joined")
    for step, votes in enumerate(room.votes, start=1):
        strangers = votes.keys() - record.names.values()
        record.wrong += [f"step {step}: a vote of nobody" for _ in strangers]
        for number, name in record.names.items():
            told, found = record.counted[step].get(number), votes.get(name)
            if found not in (told, record.unsure.get((step, number), told)):
                record.wrong.append(f"phone {number}, step {step}: {found!r} on disk, but it was told {told!r}")
