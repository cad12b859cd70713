"""Getting a data set from a server and from a mirror folder: progress, checks, what breaks, and going on."""

import errno
import gzip
import hashlib
import os
import threading
from collections import Counter
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import unquote

import pytest

from pairlens.errors import InputError, PolicyError, StoreError
from pairlens.files.datasets import NOT_STATED, Dataset, File, get, path_of, remove, state
from tests.refusals import error_of

CONTENTS = {
    "README.md": b"a set of ours\n",
    "data/long.jsonl": b'{"sentence_good": "Two cats sleep.", "sentence_bad": "Two cats sleeps."}\n' * 5_000,
    "data/with space.jsonl": b'{"sentence_good": "A cat sleeps.", "sentence_bad": "A cat sleep."}\n',
}
WHOLE = sum(map(len, CONTENTS.values()))


@pytest.fixture
def server():
    """A server on this machine: what it holds, how it misbehaves, and how often each file was asked for."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            path = unquote(self.path.removeprefix("/set/"))
            known.asked[path] += 1
            content = known.contents.get(path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            if known.packed:
                content = gzip.compress(content)
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if path in known.cut else content)

        def log_message(self, *_): ...

    http = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    address = f"http://127.0.0.1:{http.server_port}/set/"
    known = SimpleNamespace(address=address, contents=dict(CONTENTS), cut=set(), packed=False, asked=Counter())
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield known
    http.shutdown()
    http.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def online(monkeypatch, limit):
    monkeypatch.setenv("NO_PROXY", "*")
    limit("offline", 0)


@pytest.fixture
def mirror(tmp_path, limit):
    """A mirror folder that holds the set, the long file as .gz."""
    for path, content in CONTENTS.items():
        file = tmp_path / "mirror" / "ours" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        packed = len(content) > 1_000
        file.with_name(file.name + ".gz" * packed).write_bytes(gzip.compress(content) if packed else content)
    limit("mirror", tmp_path / "mirror")
    return tmp_path / "mirror" / "ours"


def a_set(source="http://127.0.0.1:9/set/"):
    return Dataset(
        name="ours", title="Ours", about="Cats.", languages=("en",), items="2 pairs", licence="MIT", terms="None.",
        citation="We 2026", address="https://example.org/ours", task="blimp", reads="data", source=source,
        mirror="ours", files={path: File(len(c), hashlib.sha256(c).hexdigest()) for path, c in CONTENTS.items()},
    )  # fmt: skip


def contents(folder):
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed on the way"])
def test_a_set_comes_whole_with_progress_and_only_once(server, home, packed):
    server.packed, seen = packed, []
    ours = a_set(server.address)
    assert state(ours) == "absent"
    path = get(ours, lambda done, whole: seen.append((done, whole)))
    assert path == home / "datasets" / "ours" / "data" == path_of(ours) and state(ours) == "here"
    assert contents(path.parent) == CONTENTS
    assert {whole for _, whole in seen} == {WHOLE}
    done = [done for done, _ in seen]
    assert done == sorted(done) and done[-1] == WHOLE and len(set(done)) > len(CONTENTS)
    assert get(ours) == path and set(server.asked.values()) == {1}


def test_what_is_not_sent_or_of_another_content_is_said_and_nothing_is_here(server, home):
    server.contents["data/long.jsonl"] = b"<html>Please log in to this network</html>"
    ours = a_set(server.address)
    with pytest.raises(InputError, match=r"long\.jsonl, as 127\.0\.0\.1 sent it, .* its sha256 is another"):
        get(ours)
    assert state(ours) == "absent" and path_of(ours) is None
    assert "<html>" not in str(contents(home / "datasets"))
    server.contents |= CONTENTS
    del server.contents["data/with space.jsonl"]
    assert "127.0.0.1 does not give data/with space.jsonl: 404" in error_of(lambda: get(a_set(server.address)))
    with pytest.raises(InputError, match=r"^Ours: 127\.0\.0\.1 cannot be reached\. .*PAIRLENS_MIRROR .* ours/"):
        get(a_set())


def test_what_came_whole_is_kept_when_the_connection_breaks_and_only_a_lost_file_fetched_again(server, home):
    server.cut.add("data/long.jsonl")
    ours = a_set(server.address)
    with pytest.raises(InputError, match=r"connection to 127\.0\.0\.1 broke in data/long\.jsonl.*PAIRLENS_MIRROR"):
        get(ours)
    assert state(ours) == "absent"
    server.cut.clear()
    folder = get(ours).parent
    assert contents(folder) == CONTENTS
    assert server.asked == {"README.md": 1, "data/long.jsonl": 2, "data/with space.jsonl": 1}
    (folder / "data" / "with space.jsonl").unlink()
    assert state(ours) == "absent" and contents(get(ours).parent) == CONTENTS
    assert server.asked == {"README.md": 1, "data/long.jsonl": 2, "data/with space.jsonl": 2}
    remove(ours)
    server.cut.add("data/with space.jsonl")
    assert "broke in data/with space.jsonl" in error_of(lambda: get(ours))
    assert (home / "datasets" / ".ours").is_dir()
    remove(ours)
    assert not (home / "datasets" / ".ours").exists(), "what was begun goes too"


def test_offline_or_without_consent_to_a_set_without_licence_nothing_is_asked(server, home, limit):
    ours = replace(a_set(server.address), licence=NOT_STATED, terms="Made of letters.")
    with pytest.raises(PolicyError, match=r"no licence is stated\. Made of letters\. .*data get ours --accept"):
        get(ours)
    limit("offline", 1)
    with pytest.raises(InputError, match=r"offline \(PAIRLENS_OFFLINE is set\)\. .*PAIRLENS_MIRROR"):
        get(a_set(server.address))
    assert not server.asked and not (home / "datasets").exists()
    limit("offline", 0)
    assert get(ours, accepted=True) == path_of(ours)


def test_the_mirror_is_used_first_and_offline_too_and_what_it_lacks_is_named(server, mirror, limit):
    limit("offline", 1)
    ours, seen = a_set(server.address), []
    assert state(ours) == "mirror"
    assert contents(get(ours, lambda done, _: seen.append(done)).parent) == CONTENTS
    assert seen[-1] == WHOLE
    remove(ours)
    (mirror / "README.md").rename(mirror / "aside")
    limit("offline", 0)
    assert state(ours) == "absent" and contents(get(ours).parent) == CONTENTS
    assert server.asked == {"README.md": 1}, "what it lacks comes from the network"
    remove(ours)
    limit("offline", 1)
    (mirror / "aside").rename(mirror / "README.md")
    for lost, words in (
        ("data/long.jsonl.gz", r"; or add data/long\.jsonl to the mirror folder .*ours, where PAIRLENS_MIRROR"),
        ("README.md", r"; or add README\.md and 1 more of 3 files to the mirror folder"),
    ):
        (mirror / lost).unlink()
        with pytest.raises(InputError, match=words):
            get(ours)
    assert server.asked == {"README.md": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda packed: gzip.compress(b"another text"), "not the file of the catalogue"),
        (lambda packed: gzip.compress(b"x" * 5_000_000), "not the file of the catalogue"),
        (lambda packed: packed[:200], "cannot be read"),
        (lambda packed: b"no gzip at all", "cannot be read"),
    ],
    ids=["another text", "far too long", "cut off", "not packed"],
)
def test_a_wrong_file_in_the_mirror(mirror, damage, said):
    file = mirror / "data" / "long.jsonl.gz"
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(InputError, match=rf"long\.jsonl\.gz: this .*{said}"):
        get(a_set())
    assert path_of(a_set()) is None


def test_what_a_kill_left_behind_is_checked_and_tidied(server, home):
    left = home / "datasets" / ".ours"
    (left / "data").mkdir(parents=True)
    (left / "README.md").write_bytes(CONTENTS["README.md"])
    (left / "data" / "long.jsonl").write_bytes(CONTENTS["data/long.jsonl"][:-1] + b"?")
    (left / "data" / "tmpk2hs").write_bytes(b"half of a fi")
    assert contents(get(a_set(server.address)).parent) == CONTENTS
    assert "README.md" not in server.asked and not left.exists()


def test_two_at_once_fetch_once(server):
    ours, found = a_set(server.address), []
    threads = [threading.Thread(target=lambda: found.append(get(ours))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [path_of(ours)] * 4 and set(server.asked.values()) == {1}


def test_a_home_that_cannot_be_written_and_a_full_disk(server, home, monkeypatch):
    def full(url, output_file, _):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), output_file)

    ours = a_set(server.address)
    home.mkdir()
    (home / "datasets").write_text("a file where a folder is needed")
    with pytest.raises(StoreError, match=r"Ours cannot be written to .*datasets: .* PAIRLENS_HOME"):
        get(ours)
    (home / "datasets").unlink()
    with monkeypatch.context() as patched:
        patched.setattr("pooch.HTTPDownloader", lambda **_: full)
        assert "No space left on device" in error_of(lambda: get(ours), StoreError)
    assert path_of(ours) is None
    assert contents(get(ours).parent) == CONTENTS
