"""`pairlens dashboard`, and `pairlens` alone: this process becomes the server of the packaged pages."""

import os
from pathlib import Path

import pytest

from pairlens.places import IN_CLONE
from tests.refusals import refused


@pytest.fixture
def become(monkeypatch):
    """What the process would become: the command's words and its environment."""
    became = []
    monkeypatch.setattr(os, "execve", lambda program, command, environment: became.append((command, environment)))
    return became


@pytest.mark.parametrize("verb", [(), ("dashboard",)])
def test_it_serves_the_packaged_pages_and_opens_a_browser(cli, become, verb):
    assert cli(*verb)[0] == 0
    ((command, environment),) = become
    assert command[1:5] == ["-P", "-m", "streamlit", "run"]
    assert Path(command[5]).name == "app.py" and Path(command[5]).is_file() and Path(command[5]).is_absolute()
    assert command[6:8] == ["--server.headless", "false"]
    paths = [Path(place) for place in environment["PYTHONPATH"].split(os.pathsep)]
    assert any((path / "pages").is_dir() for path in paths)
    assert any((path / "pairlens").is_dir() for path in paths) or not IN_CLONE


def test_port_and_browser_are_chosen_and_a_port_that_cannot_be_is_refused(cli, become):
    cli("dashboard", "--port", "9000", "--no-browser")
    assert become[0][0][6:10] == ["--server.port", "9000", "--server.headless", "true"]
    refused(cli("dashboard", "--port", "90000"), "65535")
    assert len(become) == 1
