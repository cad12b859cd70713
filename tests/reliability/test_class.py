"""A class of many phones: every vote is counted once, whatever phones, teacher and server do. See `classes`."""

import pytest

from tests.class_server import Phone, lesson, serve_class
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


@pytest.mark.soak
def test_forty_phones_for_ten_minutes(home):
    home.mkdir()
    with serve_class(home, lesson(40)) as server:
        record = load(server, 40, 600.0)
    print(record.table())
    assert not record.wrong, record.table()
    assert len(server.room.phones) == 40 and sum(map(len, record.counted.values())) > 1_500
