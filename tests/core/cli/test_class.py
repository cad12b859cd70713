"""The verb `class`, up to where this process becomes the server."""

import socket

import pytest

from core.cli import class_, main
from core.studies.classroom import kept

LESSON = """
title = "Agreement"
model = "english-small"
[[step]]
pair = ["The horses are tired.", "The horses is tired."]
expected = "A"
"""


@pytest.fixture
def started(monkeypatch, home):
    """With what the server was started: name, where it listens, address, port."""
    found = []
    monkeypatch.setattr(class_, "_become_server", lambda *given: found.append(given))
    return found


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@pytest.mark.model
def test_it_answers_the_lesson_says_what_to_open_and_becomes_the_server(started, port, save, capsys):
    file = str(save("lesson.toml", LESSON))
    assert main(["class", file, "--address", "192.168.7.7", "--port", port]) == 0
    ((name, bind, address, used),) = started
    assert (bind, address, used) == ("0.0.0.0", "192.168.7.7", int(port))
    room = kept.read(name)
    assert room.answers[0].choice == "A" and room.answers[0].lead.startswith("by ")
    printed = capsys.readouterr().out
    assert "Agreement: 1 step, answered by english-small." in printed
    assert f"http://127.0.0.1:{port}/teacher?key={room.key}" in printed
    assert f"http://192.168.7.7:{port}   code {room.code}" in printed

    assert main(["class", file, "--address", "127.0.0.1", "--port", port]) == 0  # an interrupted class continues
    assert started[1][:2] == (name, "127.0.0.1")
    assert f"This continues the class of {room.begun[11:16]}." in capsys.readouterr().err
    assert main(["class", file, "--address", "127.0.0.1", "--port", port, "--new"]) == 0
    assert started[2][0] != name


@pytest.mark.model
def test_a_table_of_pairs_is_a_lesson(started, port, save):
    table = save("attraction.tsv", "good\tbad\nThe keys are here.\tThe keys is here.\nHe was.\tHe were.\n")
    assert main(["class", str(table), "--address", "127.0.0.1", "--port", port]) == 0
    room = kept.read(started[0][0])
    assert [step.expected for step in room.lesson.steps] == ["A", "A"] and room.model == "english-small"


@pytest.mark.model
def test_a_french_lesson_is_answered_by_a_french_model(started, port, save):
    lesson = 'title = "Participes"\nlanguage = "fr"\n[[step]]\npair = ["Elle est venue.", "Elle est venu."]\n'
    assert main(["class", str(save("fr.toml", lesson)), "--address", "127.0.0.1", "--port", port]) == 0
    assert kept.read(started[0][0]).model == "french-small"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["nothing.toml"], "nothing.toml: there is no such file"),
        (["nothing"], "There is no lesson 'nothing'."),
        ([], "name a lesson: a .toml, a table of pairs"),
        (["LESSON", "--address", "not an address"], "'not an address' is no address of a machine"),
        (["LESSON", "--address", "a/b"], "'a/b' is no address of a machine"),
        (["LESSON", "--port", "0"], "--port"),
        (["LESSON", "--model", "nobody"], "nobody"),
    ],
)
def test_mistakes_are_one_sentence(started, port, save, capsys, given, why):
    file = str(save("lesson.toml", LESSON))
    given = [file if one == "LESSON" else one for one in given]
    assert main(["class", "--port", port, *given]) == 2
    said = capsys.readouterr().err
    assert why in said and said.count("\n") == 1 and not started


def test_a_port_that_is_taken_is_said_before_the_model_answers(started, save, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["class", str(save("l.toml", LESSON)), "--address", "127.0.0.1", "--port", str(port)]) == 2
    assert f"port {port} cannot be used" in (said := capsys.readouterr().err) and f"--port {port + 1}" in said
    assert not started


def test_the_address_is_found_without_sending_anything(monkeypatch, capsys):
    """A socket of datagrams that is connected sends nothing; without a network only this machine can join."""

    class Probe:
        def __init__(self, family, kind):
            assert (family, kind) == (socket.AF_INET, socket.SOCK_DGRAM)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def connect(self, place):
            raise OSError("no route")

    monkeypatch.setattr(class_.socket, "socket", Probe)
    assert class_._own_address() == "127.0.0.1"
    assert "in no network" in capsys.readouterr().err
    monkeypatch.setattr(Probe, "connect", lambda self, place: None)
    monkeypatch.setattr(Probe, "getsockname", lambda self: ("192.168.7.7", 4), raising=False)
    assert class_._own_address() == "192.168.7.7"
    assert capsys.readouterr().err == ""
