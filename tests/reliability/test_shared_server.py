"""A shared server opens no file that its operator did not name, whatever a link says.

The real server and real sessions. Files and folders of every kind that some page reads lie outside; the kernel
(inotify) says whether any process of the machine opens one of them. The same links open them where nothing is
shared, or this test would prove nothing.
"""

import ast
import ctypes
import os
import random
import select
import shutil
import struct
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from pairlens.places import FOLDER as ROOT
from pairlens.store import uploads, visitors
from tests.browser.dashboard import serve
from tests.reliability.session import Session
from tests.tiny import tiny_model

pytestmark = [pytest.mark.model, pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")]

IN_ACCESS, IN_OPEN = 0x1, 0x20
EVENT = struct.Struct("iIII")
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
VISITORS = {
    "named by the operator": ({"PAIRLENS_SHARED": "on"}, {}),
    "behind a proxy": ({}, {"X-Forwarded-For": "192.0.2.7"}),
    "behind a proxy with X-Real-IP": ({}, {"X-Real-IP": "192.0.2.7"}),
    "behind a proxy with Via": ({}, {"Via": "1.1 gate"}),
    "open to the network": ({"STREAMLIT_SERVER_ADDRESS": "0.0.0.0"}, {}),
}
"""What makes a dashboard shared: the server's environment, a request's headers."""
WORD = "canary"
WAYS = "{path}|{path}/|file://{path}|{up}|./{up}|{path}/../{name}|~/{home}| {path}|//{path}"
MOST = 900
"""Streamlit ignores links with more than 1,000 parameters."""


@pytest.fixture
def outside(tmp_path):
    """A folder with what pages read, by its usual names."""
    folder = tmp_path / "outside"
    shutil.copytree(ROOT / "data" / "samples" / "blimp", folder / "blimp")
    shutil.copytree(ROOT / "data" / "samples" / "nli", folder / "nli")
    shutil.copytree(ROOT / "data" / "samples" / "stereoset", folder / "stereoset")
    tiny_model(folder / "models" / "chck_1M")
    (folder / "pairs.tsv").write_text(f"good\tbad\nThe {WORD} sings.\tThe {WORD} sing.\n")
    (folder / "corpus.txt").write_text(f"The {WORD} sings.\n" * 50)
    return folder


def names():
    """Whatever could be the name of a parameter: every short word that stands in the source of the pages."""
    found = set()
    for path in [*(ROOT / "pages").rglob("*.py"), *(ROOT / "core" / "pairlens").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 30:
                found.add(node.value)
    return sorted(name for name in found if name.isidentifier() and name.islower())


def values(outside):
    """Paths to what lies outside, written in every way."""
    plain = [outside / name for name in ("pairs.tsv", "blimp", "corpus.txt", "models", "models/chck_1M")]
    plain += [*outside.glob("nli/*.csv"), *outside.glob("stereoset/*.json*"), outside]
    return [
        way.format(path=path, up=os.path.relpath(path, ROOT), name=path.name, home=os.path.relpath(path, Path.home()))
        for path in plain
        for way in WAYS.split("|")
    ]


@contextmanager
def watched(folder):
    """The paths below the folder that any process opens or reads meanwhile."""
    libc, opened = ctypes.CDLL(None, use_errno=True), list[str]()
    descriptor = libc.inotify_init1(os.O_NONBLOCK)
    assert descriptor >= 0, os.strerror(ctypes.get_errno())
    places = {}
    for path in [folder, *(one for one in folder.rglob("*") if one.is_dir())]:
        places[libc.inotify_add_watch(descriptor, os.fsencode(path), IN_ACCESS | IN_OPEN)] = path
    try:
        yield opened
        while select.select([descriptor], [], [], 0)[0]:
            events = os.read(descriptor, 1 << 20)
            while events:
                watch, _, _, length = EVENT.unpack(events[: EVENT.size])
                name = events[EVENT.size : EVENT.size + length].rstrip(b"\0").decode()
                opened.append(str(places[watch] / name))
                events = events[EVENT.size + length :]
    finally:
        os.close(descriptor)


def links(outside, number, chance):
    """So many links to every page: half of all names have a hostile value, and choices are turned to paths."""
    known, hostile = names(), chance.sample(found := values(outside), len(found))
    for turn in range(number):
        value = hostile[turn % len(hostile)]
        for page in PAGES:
            given = {name: value for name in chance.sample(known, min(len(known) // (1 + turn % 2), MOST))}
            for choice in ("data", "corpus", "nli_data"):
                given[choice] = chance.choice(("Path", "path"))
            for choice in ("shelf", "view", "tab", "task", "as", "but", "reveal", "lang"):
                given.pop(choice, None)
            if turn % 3:
                given |= {"model": "unigram-english", "model_name": "unigram-english"}
            yield page, given


def opened_by(home, outside, monkeypatch, environment, headers, number):
    """What these links make a server open; every page answers without a traceback and without a word from outside."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    home.mkdir(exist_ok=True)
    with serve(home) as address, Session(address, headers) as visitor:
        asked = list(links(outside, number, random.Random(22)))
        with watched(outside) as opened:
            for page, parameters in asked:
                visitor.open(page, **parameters)
                assert not visitor.exceptions, (page, visitor.exceptions[0])
                if environment.get("PAIRLENS_SHARED") != "off":
                    assert f"The {WORD} sings" not in visitor.text, page
    return opened


@pytest.mark.soak
@pytest.mark.parametrize("visitors", VISITORS)
def test_many_links_open_nothing(home, outside, monkeypatch, visitors):
    assert opened_by(home, outside, monkeypatch, *VISITORS[visitors], 80) == []


@pytest.mark.soak
def test_the_same_links_open_it_where_nothing_is_shared(home, outside, monkeypatch):
    opened = opened_by(home, outside, monkeypatch, {"PAIRLENS_SHARED": "off"}, {}, 80)
    kinds = {Path(path).relative_to(outside).parts[0] for path in opened if Path(path) != outside}
    assert "pairs.tsv" in kinds and len(kinds) > 2, kinds


NUMBER, HER_NAME = "ab" * 32, "her@example.org"
"""What a visitor's browser is known by, and whom a proxy would name."""
FORGED = (
    {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "::1", "Forwarded": "for=127.0.0.1;host=localhost"},
    dict.fromkeys(("X-Forwarded-User", "X-Forwarded-Email", "Remote-User", "X-Streamlit-User"), HER_NAME),
    {"Origin": "http://localhost", "X-Forwarded-Host": "localhost", "X-Original-Host": "127.0.0.1"},
    {"X-Forwarded-For": "192.0.2.7", "Authorization": f"Bearer {NUMBER}", "X-Pairlens-Visitor": NUMBER},
    {"Cookie": f"pairlens_visitor={HER_NAME}"},
)
"""What claims to come from this machine, or to be another visitor, where no proxy adds it."""


def test_forged_headers_give_no_rights(home, monkeypatch):
    with monkeypatch.context() as hers:
        hers.setattr(visitors, "_asks", lambda: visitors.visitor(NUMBER))
        uploads.keep([("hers.csv", b"good,bad\nA cat sleeps.,A cat sleep.\n")])
    with serve(home, STREAMLIT_SERVER_ADDRESS="0.0.0.0") as address:
        with Session(address, {"Cookie": f"pairlens_visitor={NUMBER}"}) as visitor:
            visitor.open("data", shelf="Your files")
            assert "hers.csv" in visitor.text
        for headers in FORGED:
            with Session(address.replace("127.0.0.1", "localhost"), headers) as visitor:
                visitor.open("data", shelf="Your files")
                assert "hers.csv" not in visitor.text, headers
                visitor.open("results", view="upkeep")
                assert "Housekeeping is closed here" in visitor.text, headers
