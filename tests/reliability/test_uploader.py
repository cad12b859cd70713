"""Malformed files through every uploader of the dashboard: one sentence each, and the page still works afterwards."""

import io
import random
import re
from itertools import cycle

import openpyxl
import pytest
from streamlit.testing.v1 import AppTest

from pages.components.shared import frame
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from tests import forked
from tests.memory import grown
from tests.on_page import errors, uploaders, words
from tests.reliability.test_bombs import BOMBS
from tests.reliability.test_uploads import BY_HAND, GOOD, GREEDY, SEED, damaged

pytestmark = pytest.mark.model

UPLOADERS = {
    "lesson": {},
    "minimal_pairs": {"data": "Upload"},
    "zero_shot": {"data": "Upload", "task": "pairs"},
    "stereoset": {"data": "Upload"},
    "agreement": {"data": "Upload"},
    "nli": {"data": "upload"},
    "train": {"corpus": "Upload"},
    "data": {"shelf": "Your files"},
}
"""The pages with an uploader, and the link that shows it."""
MEGABYTES = 1_500
"""What all files together may add to the memory of a server that has its models open."""
TAG = re.compile(r"<[^>]+>")


@pytest.fixture
def pages(unigram, monkeypatch):
    """Every page with its uploader open, as one visitor keeps it open."""
    monkeypatch.setattr(frame, "_let_the_app_run_first", lambda: None)
    with forked.children():
        yield {name: _open(name, unigram) for name in UPLOADERS}


@pytest.fixture
def lasting(pages, unigram):
    """The same; afterwards each of them still opens for somebody else."""
    yield pages
    for name in UPLOADERS:
        page = _open(name, unigram)
        assert not page.exception and uploaders(page), f"{name} does not open any more"


def _open(name, model):
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).switch_page(f"pages/{name}.py")
    for key, value in {"model_name": model, **UPLOADERS[name]}.items():
        page.query_params[key] = value
    return page.run()


def malformed(number):
    """Sound files with one to three damages, and now and then one of the small tricks made by hand."""
    chance = random.Random(SEED)
    good = list(GOOD.items())
    tricks = [
        (name, content if isinstance(content, bytes) else b"".join(content))
        for trick, (name, content, _) in BY_HAND.items()
        if trick not in GREEDY and content
    ]
    for turn in range(number):
        if turn % 5 == 4:
            yield chance.choice(tricks)
        else:
            name, content = chance.choice(good)
            yield name, damaged(content, chance) or b"\0"


def shapes():
    """Files as people have them, whose shape is unusual but sound, and two that only look like tables."""
    pairs = [("The cat sleeps.", "The cat sleep."), ("The dogs run.", "The dogs runs.")]
    rows, book, workbook = "".join(f"{one}\t{other}\n" for one, other in pairs), io.BytesIO(), openpyxl.Workbook()
    workbook.active.append(["made by hand"])
    items = workbook.create_sheet("Items")
    for row in (("good", "bad"), *pairs):
        items.append(row)
    workbook.create_sheet("Notes").append(["nothing", "of use"])
    workbook.save(book)
    return {
        "lone.tsv": ("good\tbad\n" + '"' + rows.replace("run.", 'run."')).encode(),
        "speech.tsv": f'good\tbad\n"Go," she said.\t"Go," she say.\n{rows}'.encode(),
        "swallowed.csv": b'good,bad\nThe cat sleeps.,"The cat sleep.\nThe dogs run.,The dogs runs."\n',
        "empty.csv": f"item,good,bad,,,\n1,{pairs[0][0]},{pairs[0][1]},,,\n,,,,,\n,,,,,\n".encode(),
        "comments.csv": f"# Results, 2026\n# 1. good.\n# 2. bad.\n{rows}".replace("\t", ",").encode(),
        "sheets.xlsx": book.getvalue(),
        "paper.csv": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
        "photo.tsv": b"\xff\xd8\xff\xe0\0\x10JFIF",
    }


def attack(pages, number):
    """Give so many files, one page after the other."""
    asked = zip(cycle(UPLOADERS), malformed(number), strict=False)
    said, megabytes = grown(lambda: [given(pages[name], name, *file) for name, file in asked])
    assert sum(map(bool, said)) > number // 10, "the files do damage"
    assert megabytes < MEGABYTES


def given(page, name, file, content):
    """The errors that a page shows of a file, which takes the place of the one before."""
    uploaders(page)[0].set_value((file, content, "text/plain")).run()
    assert not page.exception, (name, file, content[:200], page.exception[0].value)
    said = [TAG.sub("", line) for line in errors(page)]
    assert all(len(line) < 700 and "Traceback" not in line for line in said), (name, file, said)
    assert "Something unexpected" not in words(page), (name, file, content[:200])
    return said


@pytest.mark.soak
def test_some_malformed_files_and_a_bomb(lasting, monkeypatch):
    attack(lasting, 16)
    explode(lasting, "dictionary", monkeypatch)


def explode(pages, kind, monkeypatch):
    """Give a small file that unpacks to very much to every page."""
    monkeypatch.setenv("PAIRLENS_MAX_UNPACKED_MB", "32")
    settings.cache_clear()
    name, content, _ = BOMBS[kind]
    bomb = content()
    _, megabytes = grown(lambda: [given(pages[page], page, name, bomb) for page in UPLOADERS])
    assert megabytes < 600


def test_files_as_people_have_them(pages):
    """The page of pairs takes all tables but three; every page takes each of them, or says what is wrong."""
    for file, content in shapes().items():
        said = given(pages["zero_shot"], "zero_shot", file, content)
        assert bool(said) == (file in ("swallowed.csv", "paper.csv", "photo.tsv")), (file, said)
    for name, (file, content) in zip(cycle(UPLOADERS), shapes().items(), strict=False):
        given(pages[name], name, file, content)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["run lengths", "gzip", "zip"])
def test_a_bomb_through_every_uploader(kind, lasting, monkeypatch):
    explode(lasting, kind, monkeypatch)


@pytest.mark.soak
def test_a_thousand_malformed_files(lasting):
    attack(lasting, 1_000)
