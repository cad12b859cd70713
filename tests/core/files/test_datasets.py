"""Public data sets: the catalogue, where sets are, and that the real ones are what the catalogue says."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError, PolicyError
from pairlens.evaluation.evaluate import data_name
from pairlens.files import datasets
from pairlens.files.datasets import catalogue, get, located, name_of, named, path_of, read_files, remove, state
from pairlens.places import FOLDER as ROOT
from pairlens.places import program
from pairlens.settings import settings
from pairlens.tasks import TASKS
from tests.refusals import error_of

FETCHABLE = [dataset for dataset in catalogue().values() if dataset.fetchable]


@pytest.fixture
def fetched(shared_data, limit):
    """Gets a set out of the public data beside the project; skips with the reason if they lack it."""

    def fetch(name):
        dataset = named(name)
        limit("mirror", shared_data(dataset.mirror).parent)
        if state(dataset) != "mirror":
            pytest.skip(f"the public data beside the project do not have all files of '{name}'")
        return get(dataset, accepted=True)

    return fetch


def test_every_entry_says_what_a_user_must_know_and_every_task_has_a_set():
    for dataset in catalogue().values():
        assert all((dataset.title, dataset.about, dataset.licence, dataset.terms, dataset.citation)), dataset.name
        assert dataset.items and dataset.languages and dataset.address.startswith("https://"), dataset.name
        assert dataset.fetchable != bool(dataset.bring), f"{dataset.name}: either files, or why there are none"
        assert re.search(r"\b(19|20)\d\d\b", dataset.citation) or dataset.name == "nlpscholar"
    assert not named("ewok").fetchable and named("ewok").size_bytes == 0
    asked = {dataset.name for dataset in catalogue().values() if dataset.needs_consent}
    assert asked == {"french_obj_pp", "french_obj_pp_probing", "sick_br", "assin", "zhoblimp", "jblimp", "blimp_fr"}
    for dataset in catalogue().values():
        assert ("-NC-" not in dataset.licence) or "Not for commercial use" in dataset.terms, dataset.name
    own = {"answers", "choices", "inside", "pairs"}
    assert {name for name in TASKS if not datasets.of_task(name)} == own, "for files of one's own"
    assert {dataset.task for dataset in catalogue().values()} - {""} <= set(TASKS)
    for dataset in FETCHABLE:
        assert re.fullmatch(r"https://raw\.githubusercontent\.com/[\w.-]+/[\w.-]+/[0-9a-f]{40}/", dataset.source)
        assert any(path == dataset.reads or f"{path}/".startswith(dataset.reads) for path in dataset.files)
        assert dataset.size_bytes == sum(file.size for file in dataset.files.values()) > 0
    assert {file.stem for file in datasets.FILES.iterdir()} == {dataset.name for dataset in FETCHABLE}


@pytest.mark.slow
def test_the_catalogue_is_read_without_anything_heavy():
    code = (
        "import sys; from pairlens.cli import main; main(['data', 'list']); "
        "sys.exit(' '.join({'pooch', 'requests', 'pandas', 'numpy', 'filelock'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == len(catalogue()) + 1, done.stderr


@given(parts=st.lists(st.sampled_from(["..", ".", "", "a", "b c", "\\", "é", "C:", "a.."]), min_size=1, max_size=5))
def test_whatever_is_accepted_lies_below_the_folder(tmp_path, parts):
    try:
        accepted = read_files(_table(tmp_path, ["/".join(parts)]))
    except InputError:
        assert {"..", ".", "", "\\", "C:"} & set(parts)
    else:
        root = Path("folder/of/set")
        assert (root / next(iter(accepted))).resolve().is_relative_to(root.resolve())


@pytest.mark.parametrize("dataset", [
    pytest.param(one, marks=[pytest.mark.soak] * (one.size_bytes > 2_000_000), id=one.name) for one in FETCHABLE
])  # fmt: skip
def test_real_files_are_what_the_catalogue_says(dataset, fetched, home):
    path, folder = fetched(dataset.name), home / "datasets" / dataset.name
    found = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    assert set(found) == set(dataset.files)
    for relative, file in found.items():
        assert hashlib.sha256(file.read_bytes()).hexdigest() == dataset.files[relative].sha256
    assert path == path_of(dataset) == folder / dataset.reads
    assert path.exists() and state(dataset) == "here"
    if dataset.task:
        read = TASKS[dataset.task].read(path)  # of a suite of SyntaxGym, all that is predicted about an item is one
        items = {item.groups["contrast"] if "prediction" in item.groups else item.id for item in read}
        assert len(items) == int(dataset.items.partition(" ")[0].replace(",", ""))


def test_a_name_of_a_set_that_is_not_here_says_how_to_get_it_and_paths_that_lead_out_are_refused(tmp_path):
    with pytest.raises(InputError, match=f"{program()} data get blimp"):
        located(Path("blimp"))
    assert "zip files with a password" in error_of(lambda: located(Path("ewok")))
    assert "Did you mean 'blimp'" in error_of(lambda: named("blmp"), PolicyError)
    for path in ("../x", "/etc/x", "a/../b", "a//b", "", "a/", ".hidden", "a/.b/c", "C:/x", "a\\b", "..\\x", "./a"):
        with pytest.raises(InputError, match=r"files\.csv, row 1: .* is no path below a folder"):
            read_files(_table(tmp_path, [path]))
    with pytest.raises(InputError, match=r"row 2: expected a number of bytes and a sha256"):
        read_files(_table(tmp_path, ["a", "b"], sha256=["0" * 64, "0" * 63]))


def test_a_set_is_found_by_its_name_and_when_removed_in_the_mirror(fetched, home, tmp_path, monkeypatch):
    dataset = named("wug_adj")
    fetched("wug_adj")
    remove(dataset)
    assert state(dataset) == "mirror" and path_of(dataset) is None
    assert not [left for left in (home / "datasets").iterdir() if left.is_dir()]
    remove(dataset)
    path = fetched("crows_pairs")
    assert located(Path("crows_pairs")) == path
    assert name_of(path) == data_name(path) == "crows_pairs"
    assert name_of(path.parent) == name_of(settings().datasets) == ""
    assert data_name(path.parent) == "data"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crows_pairs").write_text("mine")
    assert located(Path("crows_pairs")) == Path("crows_pairs")
    assert located(Path("no/such.csv")) == Path("no/such.csv")


def test_what_its_user_brought_is_theirs_and_a_mirror_no_way_round_the_terms(home, tmp_path, limit):
    ewok = named("ewok")
    brought, mirrored = home / "datasets" / "ewok" / "x.jsonl", tmp_path / "mirror" / "ewok" / "x.jsonl"
    for copy in (brought, mirrored):
        copy.parent.mkdir(parents=True)
    mirrored.write_text("{}")
    limit("mirror", mirrored.parent.parent)
    assert state(ewok) == "bring"
    assert "zip files with a password" in error_of(lambda: get(ewok, accepted=True))
    brought.write_text("{}")
    assert state(ewok) == "here" and path_of(ewok) == get(ewok) == brought.parent
    assert "is yours" in error_of(lambda: remove(ewok))
    assert brought.exists()


def _table(folder, paths, sha256=("0" * 64, "0" * 64)):
    lines = [f"{path},1,{digest}\n" for path, digest in zip(paths, sha256, strict=False)]
    (folder / "files.csv").write_text("".join(["path,bytes,sha256\n", *lines]), "utf-8")
    return folder / "files.csv"
