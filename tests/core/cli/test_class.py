"""The verb `class`, up to where this process becomes the server."""

import socket

import pytest

from pairlens.cli import class_
from pairlens.studies.classroom import kept
from tests.refusals import refused

LESSON = """
title = "Agreement"
model = "english-small"
[[step]]
pair = ["The horses are tired.", "The horses is tired."]
expected = "A"
"""


@pytest.fixture
def started(monkeypatch):
    """With what the server was started: name, where it listens, address, port."""
    servers = []
    monkeypatch.setattr(class_, "_become_server", lambda *options: servers.append(options))
    return servers


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@pytest.fixture
def begin(started, port, cli):
    """`begin(file, *options)`: status, output and errors of the verb, on this machine unless told otherwise."""
    return lambda *options: cli("class", "--address", "127.0.0.1", "--port", port, *options)


@pytest.mark.model
def test_it_answers_the_lesson_says_what_to_open_and_becomes_the_server(started, begin, port, save):
    file = save("lesson.toml", LESSON)
    status, out, _ = begin(file, "--address", "192.168.7.7")
    ((name, bind, address, used),) = started
    assert (status, bind, address, used) == (0, "0.0.0.0", "192.168.7.7", port)
    room = kept.read(name)
    assert room.answers[0].choice == "A" and room.answers[0].lead.startswith("by ")
    assert "Agreement: 1 step, answered by english-small." in out
    assert f"http://127.0.0.1:{port}/teacher?key={room.key}" in out
    assert f"http://192.168.7.7:{port}   code {room.code}" in out

    status, _, errors = begin(file)  # an interrupted class continues
    assert status == 0 and started[1][:2] == (name, "127.0.0.1")
    assert f"This continues the class of {room.begun[11:16]}." in errors
    assert begin(file, "--new", "--until-eof")[0] == 0
    assert started[2][0] != name and started[2][4:] == ("eof",)


@pytest.mark.model
def test_a_table_of_pairs_is_a_lesson_and_a_french_one_is_answered_by_a_french_model(started, begin, save):
    table = save("attraction.tsv", "good\tbad\nThe keys are here.\tThe keys is here.\nHe was.\tHe were.\n")
    french = 'title = "Participes"\nlanguage = "fr"\n[[step]]\npair = ["Elle est venue.", "Elle est venu."]\n'
    assert begin(table)[0] == begin(save("fr.toml", french))[0] == 0
    room, other = (kept.read(name) for name, *_ in started)
    assert [step.expected for step in room.lesson.steps] == ["A", "A"] and room.model == "english-small"
    assert other.model == "french-small"


@pytest.mark.parametrize(
    ("options", "why"),
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
def test_mistakes_are_one_sentence(started, begin, save, options, why):
    file = save("lesson.toml", LESSON)
    refused(begin(*(file if one == "LESSON" else one for one in options)), why)
    assert not started


def test_a_port_that_is_taken_is_said_before_the_model_answers(started, begin, save):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused(begin(save("l.toml", LESSON), "--port", port), f"port {port} cannot be used", f"--port {port + 1}")
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
