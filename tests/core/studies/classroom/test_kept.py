"""A class on disk: changed by many threads at once, killed, continued."""

import math
import os
import stat
import threading

import pytest

from pairlens import __version__
from pairlens.errors import InputError, StoreError
from pairlens.evaluation.receipts.scored_by import by_manifest
from pairlens.evaluation.receipts.sentences import computed
from pairlens.evaluation.run_list import run_list
from pairlens.studies.classroom import kept
from pairlens.studies.classroom.classroom import Answer, Classroom
from pairlens.studies.classroom.kept import store_choices
from pairlens.studies.lesson import Lesson, Step
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


def test_a_class_is_served_once_and_continues_unless_it_is_of_yesterday_and_a_copy_stays_as_it_was(name, home):
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
    file = home / "classes" / name / "class.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept.unfinished(lesson(3), MODEL) == "" and kept.unfinished(lesson(), "another") == ""
    os.utime(file, (0, 0))
    assert kept.unfinished(lesson(), MODEL) == "" and list(kept.classes()) == [name]
    os.utime(file)
    assert kept.unfinished(lesson(), MODEL) == name
    with kept.opened(name) as one:
        with pytest.raises(StoreError, match="served already"), kept.opened(name):
            pass
        one.change(Classroom.end)
    assert kept.unfinished(lesson(), MODEL) == ""


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


def voted(steps, *votes):
    """A class whose phones chose so: a letter each, `AAB`, or forms with spaces between."""
    room = Classroom(steps, MODEL, answers(steps))
    room.stages = ["revealed"] * room.last
    room.votes = [{str(n): choice for n, choice in enumerate(one.split())} for one in votes]
    return room


@pytest.mark.slow
def test_choices_are_a_run_with_the_share_of_right_majorities_and_the_same_votes_are_the_same_run(store):
    room = voted(lesson(), "A A A B", "A A B", "was were", "lie lie")
    run_id = store_choices("a-class", room, store)
    manifest = store.manifest(run_id)
    assert (manifest["state"], manifest["n"], manifest["value"]) == ("done", 3, 0.5)  # right, wrong, tied
    assert manifest["scorer"] == "stated-human" and "|scorer:stated-human.v1|" in manifest["signature"]
    sums = store.candidates(run_id).set_index(["item", "label"])["logprob"]
    assert sums["step_1", "A"] == pytest.approx(math.log(3.5 / 5))
    assert sums["step_1", "A"] - sums["step_1", "B"] == pytest.approx(math.log(3.5 / 1.5))
    assert sums["step_3", "was"] == sums["step_3", "were"] == pytest.approx(math.log(1.5 / 3))
    texts = store.items(run_id).query("item_id == 'step_3'")
    assert (texts["context"] + texts["text"]).tolist()[0] == "The man who had seen the ships was"
    first = store_choices("a-class", voted(lesson(1), "A A B"), store)
    assert store_choices("a-class", voted(lesson(1), "A A B"), store) == first
    assert store_choices("a-class", voted(lesson(1), "A B B"), store) != first
    assert store_choices("another", voted(lesson(1), "A A B"), store) != first
    steps = Lesson("", (Step(pair=("The doctor came.", "The physician came.")),))
    manifest = store.manifest(store_choices("a-class", voted(steps, "A A B"), store))
    assert manifest["finding"].startswith("Prefers A by ")


def test_results_says_whose_choices_they_are_and_no_phone_is_in_it(home, store):
    room = voted(lesson(1), "A A B")
    room.votes[0] = {f"phone-{n}": "A" for n in range(3)}
    run_id = store_choices("a-class", room, store)
    (row,) = run_list(store).to_dict("records")
    assert (row["run_id"], row["model"], row["origin"]) == (run_id, "class a-class", "human choices")
    said = computed(by_manifest(store.manifest(run_id)))
    assert said == f"Choices are the votes of people (class a-class), counted by Pairlens {__version__}"
    assert not [file for file in (home / "store").rglob("*") if file.is_file() and b"phone-" in file.read_bytes()]


@pytest.mark.parametrize(
    ("steps", "votes", "why"),
    [
        (lesson(1), ("",), "nothing to save"),
        (Lesson("", (Step(prefix="The keys"),)), ("were were",), "nothing to save"),
        (Lesson("", (*lesson(1).steps, Step(pair=("The horses are tired.", "b"), expected="A"))), "AA", "two steps"),
    ],
)
def test_what_cannot_be_a_run_is_said(store, steps, votes, why):
    room = voted(steps, *votes)
    room.answers = (Answer("", ""),) * room.last
    with pytest.raises(InputError, match=why):
        store_choices("a-class", room, store)
    assert store.runs().empty
