"""What people download is opened as it is: ZIP archives, and folders in which the data lie beside other files."""

import io
import zipfile

import pytest

from pairlens.errors import InputError
from pairlens.places import bundled
from pairlens.settings import settings
from pairlens.studies.gathering import gathered, kept
from pairlens.studies.opening import opened
from tests import forked

SAMPLES = bundled("samples")
BLIMP = [(path.name, path.read_bytes()) for path in sorted((SAMPLES / "blimp").iterdir())]
CODE = b"print('hello')\n"


@pytest.fixture(autouse=True)
def readers():
    """Archives are unpacked in processes that are forked."""
    with forked.children():
        yield


def zipped(files):
    with zipfile.ZipFile(content := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def repository(summary=b""):
    """A benchmark as sites for code pack it: in folders, beside programs, documents and what a system left there."""
    others = {"README.md": b"# Data\n", "requirements.txt": b"torch\n", "code/x.py": CODE, "data/.DS_Store": b"x"}
    if summary:
        others["results/summary.jsonl"] = summary
    files = {**others, **{f"data/{name}": data for name, data in BLIMP}}
    return {"__MACOSX/data/._x.jsonl": b"x", **{f"sets-main/{name}": data for name, data in files.items()}}


def test_a_benchmark_is_opened_out_of_the_archive_it_was_downloaded_in():
    paths = kept([("sets-main.zip", zipped(repository()))])
    assert [(path.name, path.read_bytes()) for path in paths] == BLIMP
    first, *_ = opened(paths, "sets-main.zip")
    assert (first.page, first.link["task"]) == ("zero_shot", "blimp") and "left out" not in first.about


def test_of_files_that_are_nothing_together_those_of_a_benchmark_are_opened_and_the_others_named():
    summary = b'{"UID": "all", "gpt2": 0.82}\n'
    first, *_ = opened(kept([("sets.zip", zipped(repository(summary)))]), "sets.zip")
    assert first.link["task"] == "blimp" and first.about.endswith("; left out: summary.jsonl")
    assert first.link["file"] == opened(kept(BLIMP), "")[0].link["file"], "the same files are the same data set"
    table = (SAMPLES / "minimal_pairs" / "agreement_pt.tsv").read_bytes()
    (only, *_) = opened(kept([("codes.csv", b"code,meaning\n1,singular\n"), ("items.tsv", table)]), "codes.csv")
    assert only.page == "minimal_pairs" and only.about.startswith("items.tsv: 24 items × 2 × 2")
    assert only.about.endswith("; left out: codes.csv")
    french = (SAMPLES / "qfrblimp" / "qfrblimp.jsonl").read_bytes()
    (largest, *_) = opened(kept([BLIMP[0], ("french.jsonl", french * 9)]), "sets.zip")
    assert largest.about.startswith("french.jsonl: QFrBLiMP, ") and largest.about.endswith(f"left out: {BLIMP[0][0]}")


@pytest.mark.parametrize("name", ["blimp", "linzen", "turblimp", "zhoblimp"])
def test_of_benchmarks_with_the_same_format_the_archives_name_decides(name):
    files = {f"{name}-main/{path.relative_to(SAMPLES)}": path.read_bytes() for path in (SAMPLES / name).rglob("*.*")}
    first, *_ = opened(kept([(f"{name}-main.zip", zipped(files))]), f"{name}-main.zip")
    assert first.link["task"] == name


def test_a_table_whose_columns_must_be_named_is_opened_beside_another():
    files = [("stories.tsv", (SAMPLES / "next_sentence" / "stories.tsv").read_bytes()), ("a.csv", b"a,b\n1,2\n")]
    first, *_ = opened(kept(files), "stories.tsv")
    assert first.page == "minimal_pairs" and first.about.startswith("stories.tsv: sentences of an experiment, once")
    assert first.about.endswith("; left out: a.csv")


def test_a_folder_without_data_is_searched_below_and_equal_names_are_told_apart(tmp_path):
    pairs = "good,bad\nA b.,A c.\n"
    tables = dict.fromkeys(("fr/a.csv", "de/a.csv", "de/b.csv", ".git/c.csv"), pairs)
    for name, text in {**tables, "LICENSE": "Free.", "requirements.txt": "torch", "source.txt": "A paper."}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert [path.name for path in gathered([tmp_path])] == ["b.csv", "de-a.csv", "fr-a.csv", "source.txt"]
    (tmp_path / "here.csv").write_text(pairs)
    assert [path.name for path in gathered([tmp_path])] == ["here.csv", "source.txt"]


def test_a_run_that_was_exported_stays_in_its_archive():
    (path,) = kept([("run.zip", zipped({"export.json": b"{}", "manifest.json": b"{}"}))])
    assert path.name == "run.zip" and opened([path], path.name)[0].about == "a run of Pairlens"


@pytest.mark.parametrize(
    ("content", "limit_mb", "sentence"),
    [
        (zipped(repository())[:-40], 200, "sets.zip: cannot be unpacked: it is damaged, or locked with a password"),
        (zipped({"a.csv": b"a,b\n" * 600_000}), 2, r"sets.zip: unpacks to more than 2 MB, .*max_upload_mb"),
        (zipped({}), 200, "sets.zip: holds no files with data"),
        (zipped({"read.me": CODE}), 200, "sets.zip: holds no files with data"),
        (zipped({f"{n}.csv": b"a" for n in range(501)}), 200, "sets.zip: holds more than 500 files"),
    ],
    ids=["damaged", "a bomb", "empty", "no data", "too many files"],
)
def test_archives_that_cannot_be_opened_are_refused_in_one_sentence(monkeypatch, content, limit_mb, sentence):
    monkeypatch.setenv("PAIRLENS_MAX_UPLOAD_MB", str(limit_mb))
    settings.cache_clear()
    with pytest.raises(InputError, match=sentence):
        kept([("sets.zip", content)])


def test_text_that_is_named_like_a_log_of_inspect_is_none():
    table = (SAMPLES / "agreement" / "agreement.tab").read_bytes()
    first, *_ = opened(kept([("agreement.eval", b"correct\twrong\n1\t0\n"), ("agreement.tab", table)]), "")
    assert first.page == "agreement"
