"""A class on disk: changed by many threads at once, killed, continued."""

import os
import stat
import threading

import pytest

from core.errors import InputError, StoreError
from core.studies.classroom import kept
from core.studies.classroom.classroom import Classroom
from tests.class_server import MODEL, answers, lesson


@pytest.fixture
def name(home):
    return kept.begin(lesson(), MODEL, answers(lesson()))


def test_changes_of_many_threads_are_all_on_disk_when_they_return(name):
    wrong = []

    def phone(one, number):
        for _ in range(10):
            one.change(lambda room: room.join(str(number)))
            if str(number) not in kept.read(name).phones:
                wrong.append(number)

    with kept.opened(name) as one:
        one.change(lambda room: room.go(1))
        threads = [threading.Thread(target=phone, args=(one, number)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert one.now() == kept.read(name)
    assert not wrong and len(kept.read(name).phones) == 12


def test_what_is_refused_changes_nothing_and_what_the_disk_refuses_is_said(name, monkeypatch):
    with kept.opened(name) as one:
        with pytest.raises(InputError):
            one.change(lambda room: room.vote("p", 1, "A"))
        with monkeypatch.context() as patch:
            patch.setattr(kept, "write_json", lambda *_: (_ for _ in ()).throw(StoreError("full")))
            with pytest.raises(StoreError):
                one.change(lambda room: room.join("p"))
        one.change(lambda room: room.join("q"))  # and takes with it what the disk refused before
    assert kept.read(name).phones == {"p", "q"}


def test_a_copy_stays_as_it_was(name):
    with kept.opened(name) as one:
        before = one.now()
        one.change(lambda room: room.join("p"))
        one.change(lambda room: room.go(1))
        one.change(Classroom.open)
        one.change(lambda room: room.vote("p", 1, "A"))
        one.change(lambda room: room.raise_hands(1, "B", 2))
        assert before == Classroom(**{field: getattr(before, field) for field in before.__dataclass_fields__})
        assert (before.phones, before.votes[0], before.hands[0], before.stages[0]) == (set(), {}, {}, "ahead")
        assert one.now().votes[0] == {"p": "A"}


def test_a_class_is_served_once_with_a_key_of_its_own_and_continues_unless_it_is_of_yesterday(name, home):
    assert kept.unfinished(lesson(), MODEL) == name
    assert kept.unfinished(lesson(3), MODEL) == "" and kept.unfinished(lesson(), "another") == ""
    with kept.opened(name) as one:
        one.change(Classroom.end)
    assert kept.unfinished(lesson(), MODEL) == ""
    file = home / "classes" / name / "class.json"
    os.utime(file, (0, 0))
    assert kept.unfinished(lesson(), MODEL) == "" and list(kept.classes()) == [name]
    assert stat.S_IMODE((home / "classes" / name / "class.json").stat().st_mode) == 0o600
    with kept.opened(name), pytest.raises(StoreError, match="served already"), kept.opened(name):
        pass


def test_a_damaged_class_is_said_and_listed_no_more(name, home):
    file = home / "classes" / name / "class.json"
    file.write_text(file.read_text().replace('"at": 0', '"at": 1'))
    with pytest.raises(InputError, match="damaged"):
        kept.read(name)
    assert kept.classes() == {}
    file.write_text('{"at": 1}')
    assert kept.classes() == {}
    for wrong in ("../runs", ".hidden", "nothing"):
        with pytest.raises(InputError):
            kept.read(wrong)
