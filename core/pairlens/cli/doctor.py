"""`doctor`: is everything here that Pairlens needs, and does it work? A check says so, or raises what to do."""

import http.client
import math
import shutil
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import Annotated

import typer

from pairlens.errors import ModelError, PairlensError
from pairlens.files.tables import read_table
from pairlens.messages import counted
from pairlens.models import cards, find, labels_of
from pairlens.places import FOLDER, bundled
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import recipe_of
from pairlens.scoring.same_numbers import compare, in_float32
from pairlens.settings import settings
from pairlens.sharing import WORDS, parsed
from pairlens.types import Request

_PYTHON = (3, 11)
_FAILS = 503
"""How Streamlit answers when a page raised an error, or did not end within a minute."""
_PAIR = ("the dog sleeps.", "the dog sleep.")
_BEFORE = {"next-sentence": "an animal is tired. ", "classifier": "an animal sleeps.\n"}
"""What precedes them, for models of pairs of texts."""
_INSTALL = f"{sys.executable} -m pip install -r {FOLDER / 'requirements.lock'}"

_PAIRS = 200
_LANGUAGES = {"en": "english", "fr": "french", "pt": "portuguese"}
_ROOM_MB = 100
"""With less room on the disk, runs would soon fail."""
_PATIENCE_SECONDS = 30.0
"""A dashboard that does not run its first page in this time hangs: it takes 0.2 s, at first and under load 10."""


def doctor(
    address: Annotated[
        str,
        typer.Option(
            help="Only ask the dashboard at this address to run a page, and check that results can be stored."
        ),
    ] = "",
    numbers: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="Only compare a model's numbers, as this machine, a file or a server gives them, with float32 here.",
        ),
    ] = "",
    against: Annotated[
        str, typer.Option(metavar="MODEL", help="What is taken in float32, if not the model itself.")
    ] = "",
    dtype: Annotated[str, typer.Option(help="The precision in which the model's numbers are computed.")] = "float32",
) -> None:
    """Check versions, models and store; the last line says whether all is ready. Exit status 1 if it is not."""
    if numbers:
        _compare_numbers(numbers, against, dtype)
        return
    problems = []
    for subject, check in _checks(address).items():
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
    everything = "Ready: versions fit, models present and scoring, store writable, network not needed."
    typer.echo("Ready: pages run, results can be stored." if address else everything)


def _checks(address: str) -> dict[str, Callable[[], str]]:
    if address:
        return {"dashboard": partial(_dashboard, address), "store": _store}
    log = settings().errors
    hub = "is off" if settings().offline else "is asked only for models named org/name that are not here yet"
    there = all(map(shutil.which, ("chromium", "chromedriver")))
    return {
        "python": _python,
        "packages": _packages,
        **({name: partial(_model, name) for name in _bundled()} or {"models": _no_models}),
        "home": lambda: str(settings().home),
        "store": _store,
        "errors": lambda: f"{log}: {'what the dashboard did not expect' if log.exists() else 'none yet'}",
        "visitors": _visitors,
        "network": lambda: f"not needed; the model hub {hub}",
        "chromium": lambda: "present" if there else "not here (only the tests that drive a browser need it)",
    }


def _compare_numbers(name: str, against: str, dtype: str) -> None:
    """200 pairs (fewer in some languages) in both ways; exit status 1 where decisions differ."""
    policy = Policy(dtype=dtype)
    recipe = recipe_of(name, policy=policy)
    reference = recipe_of(against) if against else in_float32(recipe)
    if reference is None:
        raise ModelError(f"'{name}' does not say whose numbers it should give: name that model with --against MODEL.")
    language = _LANGUAGES.get(str(reference.model.card.get("language") or "en").split()[0], "english")
    table = read_table(bundled("samples", f"everyday_{language}", "pairs.tsv")).head(_PAIRS)
    done = compare(recipe, reference, list(zip(table["good"], table["bad"], strict=True)))
    typer.echo(f"{name} against {reference.model.name} in float32 here, {done.n_pairs} pairs in {language}")
    typer.echo(f"{done.n_tokens:,} tokens: largest difference {done.largest:.2g} nats, median {done.median:.2g}")
    for flip in done.flips:
        margins = f"margin {flip.margin:.3f}, float32 {flip.margin_reference:.3f}"
        typer.echo(f"  {' | '.join(flip.pair)}: {margins}")
    typer.echo(done.verdict)
    if done.flips:
        raise typer.Exit(1)


def _python() -> str:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < _PYTHON:
        raise PairlensError(f"Version {version} is too old: take {'.'.join(map(str, _PYTHON))} or newer.")
    return version


def _packages() -> str:
    from packaging.requirements import Requirement

    lines = (FOLDER / "requirements.txt").read_text("utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
    wrong = []
    for requirement in wanted:
        try:
            if not requirement.specifier.contains(version := metadata.version(requirement.name), prereleases=True):
                wrong.append(f"{requirement.name} is {version}, needed is {requirement.specifier}")
        except metadata.PackageNotFoundError:
            wrong.append(f"{requirement.name} is missing")
    if wrong:
        raise PairlensError(f"{'; '.join(wrong)}. Install what was tested: {_INSTALL}")
    return f"all {len(wanted)} within the ranges of requirements.txt"


def _bundled() -> list[str]:
    return sorted(card.parent.name for card in cards.bundled_models().glob("*/card.json"))


def _no_models() -> str:
    raise ModelError(f"None of the bundled models is here: restore {bundled('models')}.")


def _model(name: str) -> str:
    model = find(name)
    scorer = SCORERS[default_for(model.kind)].open(model, Policy())
    before, label = _BEFORE.get(model.kind, ""), labels_of(model)[0] if model.kind == "classifier" else ""
    requests = [Request(f"{before}{text}", label) if label else Request(before, text) for text in _PAIR]
    right, wrong = (scores.total for scores in scorer.score(requests))
    if not (math.isfinite(right) and math.isfinite(wrong)):
        raise ModelError(f"It gives no number for a plain sentence: restore {model.folder}.")
    return f"{_PAIR[0]} {label} {right:.2f} nats, {_PAIR[1]} {label} {wrong:.2f} nats".replace("  ", " ")


def _store() -> str:
    """Write a file to the store, and read what it holds."""
    from pairlens.store import FORMAT, Store

    held = Store()
    held.check_writable()
    for fingerprint in held.fingerprints():
        held.parts(fingerprint)
    free = shutil.disk_usage(held.folder).free
    if free < _ROOM_MB * 1e6:
        raise PairlensError(f"The disk of {held.folder} is full but for {free / 1e6:.0f} MB: make room.")
    return f"{held.folder}: writable, format {FORMAT}, {counted(len(held.runs()), 'run')}, {free / 1e9:.1f} GB free"


def _dashboard(address: str) -> str:
    """Let the dashboard run its first page: a server whose pages hang still says that it is alive."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    began, page = time.monotonic(), f"{address.rstrip('/')}/_stcore/script-health-check"
    try:
        with direct.open(page, timeout=_PATIENCE_SECONDS) as response:
            answer = response.read(100)
    except urllib.error.HTTPError as error:
        what = "its first page fails; its log says why" if error.code == _FAILS else f"it answers with {error.code}"
        raise PairlensError(f"The dashboard at {address} runs, but {what}.") from None
    except TimeoutError:
        slow = f"The dashboard at {address} does not run a page within {_PATIENCE_SECONDS:.0f} s."
        raise PairlensError(slow) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise PairlensError(f"No dashboard answers at {address} ({error}).") from None
    if answer != b"ok":
        raise PairlensError(f"What answers at {address} is not a dashboard with server.scriptHealthCheckEnabled.")
    return f"{address}: ran a page in {time.monotonic() - began:.1f} s"


def _visitors() -> str:
    if settings().shared == "off":
        return "PAIRLENS_SHARED=off: all is open to whoever reaches the dashboard"
    allowed = parsed(settings().allowed)
    words = {word: allowed.may(word) for word in WORDS}
    rights = words | {"files by path": allowed.names_paths, "SQL": settings().sql == "on"}
    named = [*map(str, allowed.folders), *sorted(allowed.hub_models | allowed.servers)]
    opened = [name for name, may in rights.items() if may] + named
    closed = [name for name, may in rights.items() if not may]
    return f"open where the dashboard is shared: {', '.join(opened) or 'none'}; closed: {', '.join(closed) or 'none'}"
