"""A backup holds all that cannot be made again, is found whole, and writes nothing over anything else."""

import hashlib
import json
import random
import shutil
import zipfile

import pytest
from run_of_pairs import run_of_pairs

from pairlens.errors import InputError, StoreError
from pairlens.store import Store
from pairlens.store import backup as module
from pairlens.store.backup import INDEX, LEFT_OUT, backup, restore
from pairlens.store.catalog import is_intact, publish
from pairlens.store.maintenance import verify
from pairlens.store.removal import delete
from pairlens.store.sweeps import Point, Sweep, write
from pairlens.store.uploads import keep
from tests.refusals import error_of

pytestmark = pytest.mark.usefixtures("unpublished")


@pytest.fixture
def at(limit):
    """`at(folder)`: the store of another home folder, in use from then on."""

    def move(folder):
        limit("home", folder)
        return Store(shipped=None)

    return move


@pytest.fixture
def full(once, home, store, tmp_path_factory):
    """A home with runs (one of them deleted), an upload, a model, a visitor's mark, and what is left out."""
    if once:
        return shutil.copytree(once["home"], home, dirs_exist_ok=True)
    first, second = (run_of_pairs(store, margin) for margin in (1.0, 0.3))
    delete(store, second)
    points = (Point("p", 1, "words"),)
    write(store, Sweep("one", "m", "pairs", "sum", "typed", "0", "counting", {}, "2026-01-01", points))
    keep([("été.csv", b"good;bad\na;b\n")])
    for name, text in (
        ("models/mine/config.json", "{}"), ("models/mine/.hidden", "kept"), ("visitors/abc/runs/x", ""),
        ("cache/digests/x.json", "{}"), ("jobs/1/job.json", "{}"), ("datasets/blimp/x", "y"),
        ("store/sweeps/.one.json.lock", ""),
        ("store/.123-abc.json", "half"),
    ):  # fmt: skip
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    publish(store)
    assert store.manifest(first)["state"] == "done" and (home / "store" / "results.duckdb").exists()
    once["home"] = shutil.copytree(home, tmp_path_factory.mktemp("full") / "home")
    return home


@pytest.fixture
def file(full, tmp_path):
    backup(Store(), tmp_path / "home.zip")
    return tmp_path / "home.zip"


def contents(home):
    files = {path.relative_to(home).as_posix(): path for path in home.rglob("*") if path.is_file()}
    passing = (".lock", "results.duckdb", "store/results.json", ".123-abc.json")
    return {
        name: path.read_bytes()
        for name, path in files.items()
        if name.split("/")[0] not in LEFT_OUT and not name.endswith(passing)
    }


@pytest.mark.slow
def test_everything_returns_and_is_whole(full, tmp_path, at):
    file = tmp_path / "home.zip"
    before, made = contents(full), backup(Store(), file)
    assert made.files == len(before) > 12 and made.left_out == () and made.size == file.stat().st_size
    there = at(tmp_path / "new")
    assert restore(there, file) == (len(before), 0)
    assert contents(tmp_path / "new") == before
    assert not [name for name in LEFT_OUT if (tmp_path / "new" / name).exists()]
    found = verify(there)
    assert found.parts and not found.damaged and not found.runs
    assert restore(there, file)[0] == 0, "nothing is left to do"


@pytest.mark.slow
def test_the_verbs_say_it(published, full, tmp_path, at, cli):
    file = tmp_path / "home.zip"
    (full / "models" / "elsewhere").symlink_to(tmp_path)
    status, out, _ = cli("store", "backup", file)
    assert f"left out, a link or no file of Pairlens: {full / 'models' / 'elsewhere'}" in out
    assert status == 0 and "read again and whole." in out and "Damaged: nothing." in out
    assert [cli("store", "backup", place)[0] for place in (file, full / "store" / "x.zip")] == [2, 2]
    at(tmp_path / "new")
    status, out, _ = cli("store", "restore", file)
    assert status == 0 and "There already: 0." in out
    assert (tmp_path / "new" / "store" / "results.duckdb").exists()


@pytest.mark.slow
def test_an_interrupted_restoring_leaves_nothing_half_and_is_continued(full, file, tmp_path, at, monkeypatch):
    """After any number of files: each run that is there can be read, and each part is whole."""
    whole, replacing = contents(full), module.replacing
    for stop in range(0, len(whole), 2):
        home = tmp_path / f"new{stop}"
        store, written = at(home), []

        def stopping(path, *, stop=stop, written=written):
            if len(written) == stop:
                raise KeyboardInterrupt
            written.append(path)
            return replacing(path)

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(module, "replacing", stopping)
            restore(store, file)
        found = verify(store)
        assert not found.damaged and not found.runs
        for run_id in store.runs()["run_id"]:
            assert store.candidates(run_id)["logprob"].notna().all() and len(store.metrics(run_id))
        assert restore(store, file)[0] == len(whole) - stop
        assert contents(home) == whole
        shutil.rmtree(home)


@pytest.mark.slow
def test_other_contents_are_not_overwritten_and_what_is_stated_of_the_tables_is_made_again(full, file, tmp_path, at):
    """A restoring that is killed behind it makes another."""
    with zipfile.ZipFile(file) as whole:
        assert "store/results.json" not in whole.namelist()
    (upload,) = full.glob("uploads/*/*.csv")
    upload.write_bytes(b"changed since")
    before = contents(full)
    with pytest.raises(StoreError, match="1 file of the backup differ there, for example uploads/"):
        restore(Store(), file)
    assert contents(full) == before
    store = at(tmp_path / "new")
    restore(store, file)
    assert not (tmp_path / "new" / "store" / "results.json").exists()
    publish(store)
    assert restore(store, file)[0] == 0
    assert is_intact(store)
    at(tmp_path / "other")
    keep([("other.csv", b"x")])
    assert "has other contents" in error_of(lambda: restore(Store(), file), StoreError)


@pytest.mark.slow
def test_a_run_that_changes_meanwhile_is_of_one_moment(full, tmp_path, monkeypatch):
    """All its files were there together: none is older than another that was replaced before."""
    (run,) = (path.parent for path in full.glob("store/runs/[!.]*/manifest.json"))
    opened, changed = module._opened, []

    def changing(paths, stack):
        found = opened(paths, stack)
        if run / "manifest.json" in found and len(changed) < 3:
            changed.append(True)
            for name in ("metrics.parquet", "manifest.json"):
                other = run / f".1-{name}"
                other.write_text(f"{name} {len(changed)}")
                other.replace(run / name)
        return found

    monkeypatch.setattr(module, "_opened", changing)
    backup(Store(), tmp_path / "home.zip")
    with zipfile.ZipFile(tmp_path / "home.zip") as whole:
        inside = {name.split("/")[-1]: whole.read(name) for name in whole.namelist() if f"runs/{run.name}/" in name}
    assert (inside["manifest.json"], inside["metrics.parquet"]) == (b"manifest.json 3", b"metrics.parquet 3")


def crafted(path, files, **changes):
    about = {"format": 1, "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}}
    with zipfile.ZipFile(path, "w") as whole:
        for name, content in files.items():
            whole.writestr(zipfile.ZipInfo(name), content)
        whole.writestr(INDEX, json.dumps({**about, **changes}))
    return path


@pytest.mark.parametrize(
    "name",
    ["../out", "/out", "store/../../out", "a\\b", "a//b", "./a", "store/.", "cache/x", "jobs/1/job.json",
     "store/.upkeep.lock", "store/results.duckdb", "models/.12-x", "a\nb", "a\u202eb", "models/x/", INDEX + "/..",
     ".ssh/authorized_keys", ".bashrc", ".streamlit/config.toml", ".", "a", "models/" + "x" * 300, "uploads/0a/b/c",
     "classes/x/other.json", "visitors/../.profile"],
)  # fmt: skip
def test_names_that_no_backup_has(name, tmp_path, home):
    with pytest.raises(InputError, match=r"which no backup has|exactly the files"):
        restore(Store(), crafted(tmp_path / "x.zip", {name: b"x"}))
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix not in (".zip", ".lock")]


@pytest.mark.slow
def test_bombs_links_and_newer_files_are_refused(tmp_path, home):
    store, file = Store(), tmp_path / "x.zip"
    for changes, said in (({"format": 2}, "newer Pairlens"), ({"format": "1"}, "no b"), ({"sha256": []}, "no b")):
        with pytest.raises(InputError, match=said):
            restore(store, crafted(file, {"models/x": b"x"}, **changes))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr("models/bomb", bytes(50_000_000))
        whole.writestr(INDEX, "{}")
    assert "compressed" in error_of(lambda: restore(store, file))
    with pytest.raises(InputError, match="exactly the files"), pytest.warns(UserWarning, match="Duplicate"):
        with zipfile.ZipFile(crafted(file, {"models/x": b"x"}), "a") as whole:
            whole.writestr("models/x", b"y")
        restore(store, file)
    link = zipfile.ZipInfo("models/link")
    link.external_attr = 0o120777 << 16
    about = {"format": 1, "sha256": {"models/link": hashlib.sha256(b"/etc").hexdigest()}}
    with zipfile.ZipFile(file, "w") as whole:
        whole.writestr(link, b"/etc")
        whole.writestr(INDEX, json.dumps(about))
    restore(store, file)
    assert not (home / "models" / "link").is_symlink(), "a file with these characters in it"
    name = "models/a." + "x" * 253
    restore(store, crafted(file, {name: b"x"}))
    assert (home / name).read_bytes() == b"x", "a name as long as systems allow"


def test_all_is_checked_before_anything_is_written(tmp_path, home):
    def refused(error, said, *names):
        with pytest.raises(error, match=said):
            restore(Store(), crafted(tmp_path / "x.zip", dict.fromkeys(["models/first", *names, "models/z"], b"x")))
        assert not [*home.glob("models/*")], "nothing was written"

    refused(InputError, "'models/a' as a file and as a folder", "models/a", "models/a/b")
    refused(InputError, "as a file and as a folder", "store/x/y/z", "store/x")
    home.mkdir(exist_ok=True)
    (home / "reports").write_text("a file")
    refused(StoreError, "reports is a file here", "reports/a.csv")
    (tmp_path / "outside").mkdir()
    (home / "uploads").symlink_to(tmp_path / "outside")
    refused(StoreError, "leads out of", "uploads/0a/b.csv")
    assert not [*(tmp_path / "outside").iterdir()]


@pytest.mark.slow
def test_a_changed_or_shortened_file_is_refused(full, file, tmp_path, at):
    """A flipped bit anywhere: refused in one sentence, or it changes nothing that is read (zip has such bytes)."""
    whole, original = contents(full), file.read_bytes()
    generator, refused = random.Random(1), 0
    store = at(tmp_path / "new")
    for _ in range(200):
        bad = bytearray(original)
        bad[generator.randrange(len(bad))] ^= 1 << generator.randrange(8)
        file.write_bytes(bad)
        try:
            restore(store, file)
        except InputError as error:
            refused += 1
            assert "\n" not in str(error)
        else:
            assert contents(tmp_path / "new") == whole
            shutil.rmtree(tmp_path / "new")
    assert refused > 150
    for _ in range(50):
        file.write_bytes(original[: generator.randrange(len(original))])
        with pytest.raises(InputError):
            restore(store, file)
    assert not contents(tmp_path / "new")
