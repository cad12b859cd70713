"""Files of StereoSet, whichever of the published formats they have, into examples."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from core.errors import InputError, PolicyError
from core.files.stereoset.checking import checked
from core.files.stereoset.examples import Examples, Remark
from core.files.stereoset.original import read_original
from core.files.stereoset.wide import read_wide
from core.files.tables import ending, guesses

_PICKLES = (".pkl", ".pickle", ".pck")
_NAMED_LANGUAGE = re.compile(r"(?:sentence|dev)_([a-z]{2})(?:br|[-_](?:br|pt))?(?=_|$)")
"""In names of files; the published Portuguese one is `dev_ptbr.json`."""
_LANGUAGE = re.compile(r"[a-z]{2}")


def read_examples(*paths: Path, kind: str = "", language: str = "") -> Examples:
    """The examples of files in the original's JSON or as wide tables (CSV, TSV, Parquet, JSON lines, ...), together.

    `kind` keeps one task, and is that of wide tables that do not state theirs. An empty `language` is taken from
    names such as `df_intrasentence_de.csv` and `dev_fr.json`, else `en`. Raises InputError for a pickle, another kind
    of file or structure, and if no example is usable; PolicyError for an invalid language.
    """
    check_language(language)
    records = []
    for path in paths:
        refuse_pickle(path)
        read = read_original if ending(path) == ".json" else read_wide
        records += [record for record in read(path, kind) if not kind or record.example.kind == kind]
    found = checked(records, language or named_language(*paths) or "en", ", ".join(path.name for path in paths))
    guessed = [Remark(path.name, said) for path in paths for said in guesses(path)]
    return replace(found, notes=(*guessed, *found.notes))


def check_language(language: str) -> None:
    """PolicyError unless a language is two letters, or empty."""
    if language and not _LANGUAGE.fullmatch(language):
        raise PolicyError(f"A language is two small letters, such as en, not '{language[:20]}'.")


def refuse_pickle(path: Path) -> None:
    """InputError for a pickle, which runs whatever code it holds when it is opened; the message says what to do."""
    if ending(path) in _PICKLES:
        raise InputError(
            "pickles are not opened, because opening one runs whatever code it holds. If you trust it, convert it "
            f"once in Python: pandas.read_pickle('{path.name}').to_json('{path.stem}.jsonl', orient='records', "
            "lines=True), and give the .jsonl file.",
            path.name,
        )


def named_language(*paths: Path) -> str:
    """The language that the first of these names with one gives; empty if none does."""
    for path in paths:
        if found := _NAMED_LANGUAGE.search(path.name.partition(".")[0].lower()):
            return found[1]
    return ""
