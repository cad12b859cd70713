"""What a registered thing lacks, in one sentence each: contract tests print these and no more."""

import re
from string import Template

import pytest

from pairlens import types
from pairlens.places import FOLDER as ROOT

CONSTANTS = {"tasks": ("TASK", "Task"), "scorers": ("SCORER", "ScorerKind"), "metrics": ("METRIC", "Metric")}
"""By folder of core: what a file there must expose, and the class of core/pairlens/types.py that says what that
has."""


def say(sentences):
    """Fail with these sentences, if there are any."""
    if sentences:
        pytest.fail("\n".join(sentences), pytrace=False)


def demand(holds, sentence):
    """Fail with the sentence unless something holds."""
    say([] if holds else [sentence])


def unloadable(registry, folder, name):
    """Why a file's object cannot be had, and what to write into the file; empty if it can."""
    file, (constant, noun) = f"core/pairlens/{folder}/{name}.py", CONSTANTS[folder]
    try:
        found = registry[name]
    except AttributeError as error:
        if f"no attribute '{constant}'" in str(error):
            return f"{file} has no {constant}: end it with `{constant} = ...`, as the files beside it do."
        return f"{file} cannot be imported: {error}."
    except TypeError as error:
        if lacking := re.search(r"missing \d+ required .*?arguments?: (.*)", str(error)):
            return f"{file}: {constant} lacks {lacking[1]}: {noun} in pairlens/types.py says what they mean."
        return f"{file} cannot be imported: {error}."
    except Exception as error:
        return f"{file} cannot be imported: {error}."
    kind = getattr(types, noun)
    fields = [*kind.__annotations__, *methods_of(kind)]
    if lacking_fields := [name for name in fields if not hasattr(found, name)]:
        return f"{file}: {constant} lacks {', '.join(lacking_fields)}: {noun} in pairlens.types says what they mean."
    return "" if found.name == name else f"{file}: the name is '{found.name}', give it the file's: '{name}'."


def methods_of(kind):
    """The methods that a protocol asks for."""
    return (name for name, value in vars(kind).items() if callable(value) and not name.startswith("_"))


def loadable(registry, folder):
    """The members that can be loaded; one of another folder's tests says what is wrong with the others."""
    return {name: registry[name] for name in registry if not unloadable(registry, folder, name)}


def named_in_tests(name, *folders):
    """Whether a test in one of these folders below tests/ names it."""
    quoted = re.compile(rf"[\"'.]{re.escape(name)}\b")
    files = [file for folder in folders for file in (ROOT / "tests" / folder).rglob("*.py")]
    return any(quoted.search(file.read_text("utf-8")) for file in files)


def uncited(where, cites):
    """What is cited but not there."""
    from pairlens.evaluation.receipts.bibtex import papers

    return [f"{where} cites '{key}', which core/pairlens/evaluation/receipts/papers.bib lacks: add its entry there."
            for key in cites if key not in papers()]  # fmt: skip


def placeholders(text):
    """The $names in a text."""
    return set(Template(text).get_identifiers())
