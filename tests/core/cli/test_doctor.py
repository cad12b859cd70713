"""`doctor`: ready without any network, and one sentence for each thing that is wrong."""

import socket

import pytest

from pairlens.cli import doctor
from pairlens.models import cards


@pytest.mark.model
def test_ready_without_network_but_not_without_bundled_models(monkeypatch, cli, tmp_path):
    def refuse(*_):
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    status, out, _ = cli("doctor")
    lines = out.splitlines()
    assert status == 0 and lines[-1].startswith("Ready: ")
    assert all(line.startswith("ok") for line in lines[:-2])
    for card in cards.bundled_models().glob("*/card.json"):
        assert any(card.parent.name in line for line in lines)
    monkeypatch.setattr(cards, "bundled_models", lambda: tmp_path)
    status, out, _ = cli("doctor")
    assert status == 1 and out.partition("\n\n")[2].startswith("models: None of the bundled models is here")


@pytest.fixture
def problems(cli, monkeypatch):
    """`problems()`: what the doctor says below the table when something is wrong; of models it asks one only."""
    monkeypatch.setattr(doctor, "_bundled", lambda: ["unigram-english"])

    def run():
        status, out, _ = cli("doctor")
        _, below = out.split("\n\n")
        assert status == 1
        return below.splitlines()

    return run


@pytest.mark.slow
def test_a_store_that_cannot_be_written_and_a_damaged_model_are_named(home, monkeypatch, problems):
    """The other models are still asked."""
    home.mkdir()
    (home / "store").write_text("a file where the folder should be")
    (line,) = problems()
    assert line.startswith("store: ") and str(home) in line
    monkeypatch.setattr(doctor, "_bundled", lambda: ["no-such-model", "unigram-english"])
    assert any(line.startswith("no-such-model: ") for line in problems())


@pytest.mark.slow
def test_packages_that_are_missing_and_an_error_of_any_kind_are_findings(save, tmp_path, monkeypatch, problems):
    save("requirements.txt", "# ours\nnumpy<1\nno-such-package>=1\npandas>=2\n")
    monkeypatch.setattr(doctor, "FOLDER", tmp_path)
    (line,) = problems()
    assert "numpy is" in line and "needed is <1" in line and "no-such-package is missing" in line
    assert "pandas" not in line

    def broken():
        raise ImportError("libtorch.so: no such file")

    monkeypatch.setattr(doctor, "_checks", lambda _: {"torch": broken})
    (line,) = problems()
    assert "ImportError: libtorch.so" in line and "requirements.lock" in line


def test_what_is_open_on_a_shared_dashboard_is_said(limit, problems):
    limit("allowed", "train,/srv/data,org/name")
    opened, closed = doctor._visitors().split("; closed: ")
    assert opened.endswith(": train, files by path, /srv/data, org/name")
    assert closed.split(", ") == ["hub", "fetch", "import", "housekeeping", "runs", "SQL"]
    limit("shared", "off")
    assert "all is open" in doctor._visitors()
    limit("shared", "auto")
    limit("allowed", "everything")
    (line,) = problems()
    assert line.startswith("visitors: ") and "everything" in line
