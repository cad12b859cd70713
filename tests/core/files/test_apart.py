"""Files read in a process of its own: the same answers, within limits, and it can be stopped."""

import gzip
import io
import lzma
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pairlens.errors import InputError
from pairlens.evaluation.readers import items_of, readers
from pairlens.files import apart
from pairlens.files.apart.handed import hand_over, in_one_text, of_one_text, received
from pairlens.files.nli.readers import read_corpus
from pairlens.files.stereoset.predictions import read_predictions as read_scores
from pairlens.files.stereoset.reading import read_examples
from pairlens.files.tables import Layout, guesses, large, read_table
from pairlens.messages import Message, one_or_more
from pairlens.places import FOLDER as ROOT
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import read_design
from pairlens.studies.lesson.lesson import read as read_lesson
from pairlens.studies.lint.running import lint_reading, read_items
from pairlens.studies.nli.matched import read_predictions
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import Roles, with_columns
from pairlens.training.corpus import read_corpus as read_text
from tests import forked
from tests.core.files.child_readers import bug, burn, fill, leave, refuse
from tests.refusals import error_of

PAIRS = TASKS["pairs"]
SAMPLES = ROOT / "data" / "samples"
TABLE = "good,bad,number\nThe cat is tired.,The cat are tired.,sg\nDogs are old.,Dogs are old.,pl\nOne.\n,Two.,pl\n"
STARTS = """
import sys
from pathlib import Path
from pairlens.files import apart
from tests.core.files.child_readers import wait
apart.read(wait, Path(sys.argv[1]), where="a.csv", watch=print)
"""


@pytest.fixture(autouse=True)
def read_here():
    """Not here."""


def blank(path, lines, first="good,bad\nA cat sleeps.,A cat sleep.\n"):
    text = (first + "\n" * lines).encode()
    path.write_bytes({".xz": lzma.compress, ".gz": gzip.compress}.get(path.suffix, bytes)(text))
    return path


def same(here, there):
    """Whether two values are equal, tables and what has no equality of its own included."""
    if isinstance(here, pd.DataFrame):
        pd.testing.assert_frame_equal(here, there)
        return here.attrs == there.attrs
    if type(here) is not type(there):
        return False
    if isinstance(here, list | tuple):
        return len(here) == len(there) and all(map(same, here, there))
    if hasattr(here, "__dataclass_fields__"):
        return all(same(getattr(here, name), getattr(there, name)) for name in here.__dataclass_fields__)
    return here == there or (here != here and there != there)


def handed(value):
    hand_over(value, file := io.BytesIO(), 1 << 30)
    file.seek(0)
    return received(file)


@pytest.mark.parametrize(
    "value",
    [
        None, math.nan, "half a \ud800 character", (), [], {}, {1: ("a", [2.5])}, Path("a b"), [*range(1_700)],
        tuple((n, str(n)) for n in range(1_201)), {f"{n}": (n,) for n in range(600)}, {"a": ["tuple", "dict"]},
        pd.DataFrame({"a": pd.Series(["x", None], dtype="str"), "b": [1, 2], "c": [None, ("list", 1)]}, index=[4, 2]),
        pd.DataFrame({"n": pd.Series([1, None], dtype="Int64"), "day": pd.to_datetime(["2020-01-01", None])}),
        pd.DataFrame(columns=["a", "b"]), pd.DataFrame({"a": [None, 2, "x"]}).rename_axis(None),
        Layout(";"), [Roles("good", "bad"), *TASKS.values()], with_columns(PAIRS, Roles("b", "a"), Layout(";")),
    ],
)  # fmt: skip
def test_what_is_handed_over_arrives(value):
    if isinstance(value, pd.DataFrame):
        value.attrs = {"rows": (2, (7,)), "place": "x"}
    assert same(value, handed(value))


def test_what_is_handed_over_keeps_what_it_was_made_from_and_is_ours(save):
    one = handed(one_or_more("{n} of {what}", "{n:,} of {what}", n=np.int64(2), what=Message("pairs")))
    assert (one, one.plural, one.arguments["what"].template) == ("2 of pairs", "{n:,} of {what}", "pairs")
    task = with_columns(PAIRS, Roles("two", "one"), Layout(";"))
    path = save("a.csv", "one;two\nA cat sleeps.;A cat sleep.\n")
    asked, arguments = of_one_text(in_one_text((items_of, (task, path))))
    assert [*asked(*arguments)] == [*task.read(path)] == handed(asked(*arguments))
    for value in (os.system, object, {1, 2}, lambda: None):
        with pytest.raises(TypeError):
            handed(value)
    for text in ('["name", "os:system"]\n', '["subprocess:Popen", "true"]\n'):
        with pytest.raises(TypeError, match="cannot be received"):
            of_one_text(text)
    with pytest.raises(MemoryError):
        hand_over(["x" * 100], io.BytesIO(), 99)
    assert of_one_text(in_one_text(PAIRS.read)).__self__ == PAIRS


def in_design(path):
    table = read_table(path)
    return read_design(table, guess_columns(table))


@pytest.mark.parametrize(
    ("reader", "arguments"),
    [
        (read_table, (SAMPLES / "minimal_pairs" / "attraction.tsv",)),
        (in_design, (SAMPLES / "minimal_pairs" / "attraction.tsv",)),
        (read_corpus, (SAMPLES / "nli" / "assin2.xml", "", {})),
        (read_predictions, (SAMPLES / "nli" / "assin2.xml", {})),
        (read_examples, (*sorted((SAMPLES / "stereoset").glob("*.json")),)),
        (read_lesson, (ROOT / "data" / "lessons" / "agreement.toml",)),
        (read_text, ([SAMPLES / "train" / "english.txt.gz"], "text")),
        (guesses, (SAMPLES / "train" / "english.txt.gz",)),
        (read_scores, (next((SAMPLES / "stereoset_predictions").glob("*.json")),)),
        (readers, (SAMPLES / "pairs" / "agreement.csv",)),
        (read_items, (PAIRS.read, SAMPLES / "pairs" / "agreement.csv")),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)  # fmt: skip
def test_every_reader_may_be_asked_and_its_answer_arrives(reader, arguments):
    answer = reader(*arguments)
    asked, arguments = of_one_text(in_one_text((reader, arguments)))
    assert same(answer, handed(answer)) and same(answer, asked(*arguments))


@pytest.mark.slow
def test_a_process_of_its_own_reads_the_same(save):
    path = save("a.csv", TABLE)
    here = read_items(PAIRS.read, path)
    assert here.mistakes.n == 2 and isinstance(handed(here).items, tuple)
    report, lines = lint_reading(here, path), []
    with forked.children():
        there = apart.read(lint_reading, here, path, where="a.csv", watch=lines.append)
    assert there.findings.equals(report.findings) and there.summary.equals(report.summary)
    assert there.in_words() == report.in_words() and any("ended" in line for line in lines if line)


@pytest.mark.slow
def test_what_is_wrong_is_said_as_here_and_an_answer_counts_only_once_it_is_whole(save, caplog):
    path = save("a.csv", b"\x00\x01\x02" * 100)
    here = error_of(lambda: list(PAIRS.read(path)))
    assert here.startswith("a.csv,")
    assert error_of(lambda: apart.read(items_of, PAIRS, path, where="elsewhere")) == here
    for reader, status in ((leave, 0), (bug, 1)):
        with pytest.raises(InputError, match=r"a\.csv: cannot be read: the process that read it ended early"):
            apart.read(reader, where="a.csv")
        assert f"the reader of a.csv ended with status {status}" in caplog.text
    assert "ValueError: bug" in caplog.text
    assert "a.csv: it is damaged" in error_of(lambda: apart.read(refuse, where="elsewhere"))


@pytest.mark.slow
def test_it_ends_when_its_time_is_over(limit):
    limit("reading_seconds", 0.1)
    with pytest.raises(InputError, match=r"a\.csv: takes longer than 0\.1 s, the limit \(reading_seconds\)"):
        apart.read(burn, where="a.csv")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is bounded on Linux")
def test_it_ends_when_its_memory_is_used_up(limit):
    """By a reader that imports nothing once its memory is bounded: a library would want some of it."""
    limit("reading_memory_mb", 150)
    with pytest.raises(InputError, match=r"a\.csv: cannot be read within 150 MB of memory"):
        apart.read(fill, where="a.csv")


@pytest.mark.slow
def test_it_ends_when_nobody_watches_any_more(tmp_path):
    """As Streamlit stops a script: the process ends with it."""

    class Gone(BaseException):
        pass

    def go(_):
        raise Gone

    before = children()
    with pytest.raises(Gone):
        apart.read(items_of, PAIRS, blank(tmp_path / "a.csv", 1_000_000), where="a.csv", watch=go)
    assert children() <= before


@pytest.mark.slow
def test_it_ends_with_the_process_that_started_it(tmp_path):
    os.mkfifo(tmp_path / "said")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with (
        subprocess.Popen(
            [sys.executable, "-c", STARTS, str(tmp_path / "said")], cwd=tmp_path, env=environment, **quiet
        ) as starter,
        (tmp_path / "said").open("rb", buffering=0) as said,
    ):
        assert said.read(5) == b"begun"
        starter.send_signal(signal.SIGKILL)
        assert said.read() == b""


def children():
    listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return set(listed.read_text().split()) if listed.exists() else set()


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.csv.xz"])
def test_what_unpacks_to_much_or_only_its_reader_can_unpack_is_large(tmp_path, name):
    assert not large(blank(tmp_path / name, 19_998))
    assert large(blank(tmp_path / name, 19_999))
    assert large(tmp_path), "a folder is as large as its files"
    assert large(blank(tmp_path / name, 0, "x" * 2_000_001))
    assert not large(tmp_path / "none")
    for name in ("a.parquet", "a.xlsx"):
        (tmp_path / name).write_bytes(b"garbage")
        assert large(tmp_path / name)
