"""`doctor`: is everything here that Pairlens needs, and does it work?

A check returns its result in a few words, or raises an error that says what is wrong and what to do.
"""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata

import typer

from core.errors import ModelError, PairlensError
from core.models import cards, find, labels_of
from core.policies import Policy
from core.scorers import SCORERS, default_for
from core.settings import ROOT, settings
from core.types import Request

_PYTHON = (3, 11)
_PAIR = ("the dog sleeps.", "the dog sleep.")
_BEFORE = {"next-sentence": "an animal is tired. ", "classifier": "an animal sleeps.\n"}
"""What precedes them, for models of pairs of texts."""
_INSTALL = f"{sys.executable} -m pip install -r {ROOT / 'requirements.lock'}"

Check = Callable[[], str]


def doctor() -> None:
    """Check versions, models and store; the last line says whether all is ready. Exit status 1 if it is not."""
    problems = []
    for subject, check in _checks():
        try:
            result = f"{'ok':<9}{subject:<18}{check()}"
        except Exception as error:  # whatever goes wrong is a finding
            result = f"{'problem':<9}{subject:<18}see below"
            broken = f"{type(error).__name__}: {error}. If a package is broken: {_INSTALL}"
            problems.append(f"{subject}: {error if isinstance(error, PairlensError) else broken}")
        typer.echo(result)
    typer.echo()
    if problems:
        typer.echo("\n".join(problems))
        raise typer.Exit(1)
    typer.echo("Ready: versions fit, models present and scoring, store writable, network not needed.")


def _checks() -> Iterator[tuple[str, Check]]:
    yield "python", _python
    yield "packages", _packages
    names = _bundled()
    if not names:
        yield "models", _no_models
    for name in names:
        yield name, partial(_model, name)
    yield "store", _store
    yield "network", _network
    yield "chromium", _browser


def _python() -> str:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < _PYTHON:
        raise PairlensError(f"Version {version} is too old: take {'.'.join(map(str, _PYTHON))} or newer.")
    return version


def _packages() -> str:
    from packaging.requirements import Requirement

    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
    wrong = []
    for requirement in wanted:
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{requirement.name} is missing")
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            wrong.append(f"{requirement.name} is {version}, needed is {requirement.specifier}")
    if wrong:
        raise PairlensError(f"{'; '.join(wrong)}. Install what was tested: {_INSTALL}")
    return f"all {len(wanted)} within the ranges of requirements.txt"


def _bundled() -> list[str]:
    return sorted(card.parent.name for card in cards.bundled_models().glob("*/card.json"))


def _no_models() -> str:
    raise ModelError(f"None of the bundled models is here: restore {ROOT / 'data' / 'models'}.")


def _model(name: str) -> str:
    """Load a bundled model and score one pair."""
    model = find(name)
    scorer = SCORERS[default_for(model.kind)].open(model, Policy())
    before, label = _BEFORE.get(model.kind, ""), ""
    requests = [Request(before, text) for text in _PAIR]
    if model.kind == "classifier":
        label = labels_of(model)[0]
        requests = [Request(f"{before}{text}", label) for text in _PAIR]
    right, wrong = (scores.total for scores in scorer.score(requests))
    if not (math.isfinite(right) and math.isfinite(wrong)):
        raise ModelError(f"It gives no number for a plain sentence: restore {model.folder}.")
    return f"{_PAIR[0]} {label} {right:.2f} nats, {_PAIR[1]} {label} {wrong:.2f} nats".replace("  ", " ")


def _store() -> str:
    """Write a file to the store, and read what it holds."""
    from core.store import FORMAT, Store
    from core.store.files import write_json

    held = Store()
    probe = held.folder / "doctor.json"
    write_json(probe, {"format": FORMAT})
    probe.unlink()
    for fingerprint in held.fingerprints():
        held.parts(fingerprint)
    free = shutil.disk_usage(held.folder).free / 1e9
    return f"{held.folder}: writable, format {FORMAT}, {len(held.runs())} runs, {free:.1f} GB free"


def _network() -> str:
    hub = "is off" if settings().offline else "is asked only for models named org/name that are not here yet"
    return f"not needed; the model hub {hub}"


def _browser() -> str:
    there = all(map(shutil.which, ("chromium", "chromedriver")))
    return "present" if there else "not here (only the tests that drive a browser need it)"
