"""A class of many phones: every vote is counted once, whatever phones, teacher and server do. See `classes`."""

import socket
import subprocess
import time

import pytest

from pairlens.places import environment, is_served, python
from pairlens.studies.classroom import kept
from tests.class_server import MODEL, Phone, answers, lesson, serve_class
from tests.reliability.classes import load

pytestmark = pytest.mark.slow


def test_every_vote_of_twelve_phones_is_counted_once_and_without_the_key_nothing_else_is_there(home):
    home.mkdir()
    with serve_class(home, lesson(4)) as server:
        phone = Phone(server.port)
        for method, path in (
            ("GET", "/class/vote"), ("GET", "/class/join"), ("PUT", "/class/vote"), ("DELETE", "/class/state"),
            ("POST", "/join"), ("OPTIONS", "/class/vote"), ("HEAD", "/class/vote"),
        ):  # fmt: skip
            status, said = phone.ask(method, path)
            assert (status, said) == (404, "" if method == "HEAD" else "There is nothing here to read."), (
                method,
                path,
            )
        assert phone.get("/class/vote/")[0] == 403 and phone.get("/join")[0] == 200
        assert phone.vote(1, "A")[0] == 401
        record = load(server, 12, 6.0)
    assert not record.wrong, record.table()
    assert sum(map(len, record.counted.values())) >= 40
    assert len(server.room.phones) == 12
    assert server.room.stages == ["revealed"] * 4


def test_the_server_of_a_class_ends_with_what_began_it(home):
    home.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    name = kept.begin(lesson(1), MODEL, answers(lesson(1)))
    command = python("pages.components.classroom.server", name, "127.0.0.1", "127.0.0.1", str(port), "eof")
    more = {"PAIRLENS_HOME": str(home), "PAIRLENS_SHARED": "on"}
    with subprocess.Popen(command, env=environment() | more, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        while not is_served(port):
            assert server.poll() is None, server.stderr.read()
            time.sleep(0.1)
        server.stdin.close()  # as the system does it when a process is killed
        server.wait(60)
    assert not is_served(port)


@pytest.mark.soak
def test_forty_phones_for_ten_minutes(home):
    home.mkdir()
    with serve_class(home, lesson(40)) as server:
        record = load(server, 40, 600.0)
    print(record.table())
    assert not record.wrong, record.table()
    assert len(server.room.phones) == 40 and sum(map(len, record.counted.values())) > 1_500
