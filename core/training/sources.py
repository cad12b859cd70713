"""The texts behind the bundled English models: files, titles, licences, and how often each is read."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.training.exclusion import benchmark_strings, exclusion
from core.training.prepare import Prepared, prepare_file
from core.training.sentences import open_lines


@dataclass(frozen=True)
class Source:
    """One corpus file; `repeats` counts how often it enters the training text."""

    file: str
    title: str
    licence: str
    repeats: int = 1


ENGLISH = (
    Source(
        "classic-books.txt.xz",
        "Classic books in Markdown: 709 books, 1700-1960, many of them translations",
        "Public domain in the United States (a few of 1923-1960 not everywhere)",
    ),
    Source(
        "eltec-eng.txt.xz",
        "European Literary Text Collection, English part: 99 novels, 1840-1920",
        "Texts in the public domain, markup CC BY 4.0",
    ),
    Source(
        "openstax.txt.xz",
        "OpenStax textbooks: ten modern books (anthropology to writing)",
        "CC BY 4.0 (the revisions used)",
        repeats=2,
    ),
    Source(
        "african-storybook.txt.xz",
        "African Storybook: short stories for children (those under CC BY-NC left out)",
        "CC BY",
    ),
)


def origins(corpora: Path) -> dict[str, list[dict[str, str]]]:
    """Repository and commit of each corpus file, from `SOURCES.tsv`; keys like `en/file.txt.xz`."""
    table = corpora / "SOURCES.tsv"
    if not table.is_file():
        raise InputError(f"There is no SOURCES.tsv in {corpora}; is it the folder of the corpora?")
    found: dict[str, list[dict[str, str]]] = {}
    with table.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            origin = {"repository": row["repo"], "commit": row["commit"]}
            found.setdefault(row["file"], []).append(origin)
    return found


def described(
    sources: Sequence[Source],
    prepared: Mapping[str, Prepared],
    found: Mapping[str, list[dict[str, str]]],
) -> list[dict[str, Any]]:
    """The sources as a card lists them; words and sentences are those left after the filters."""
    return [
        {
            "title": source.title,
            "licence": source.licence,
            "words": prepared[source.file].words,
            "sentences": prepared[source.file].sentences,
            "repeats": source.repeats,
            "origins": found.get(f"en/{source.file}", []),
        }
        for source in sources
    ]


def prepared_text(corpora: Path, benchmarks: Path | None, folder: Path) -> dict[str, Prepared]:
    """Training text of every source, in `folder`; made when its note is not there yet."""
    note = folder / "prepared.json"
    if note.is_file():
        entries = json.loads(note.read_text(encoding="utf-8"))
        return {name: Prepared(**{**entry, "path": folder / entry["path"]}) for name, entry in entries.items()}
    origins(corpora)
    forbidden = exclusion(benchmark_strings(benchmarks) if benchmarks else ())
    made = {
        source.file: prepare_file(
            corpora / "en" / source.file,
            folder / source.file.replace(".txt.xz", ".txt.gz"),
            forbidden,
        )
        for source in ENGLISH
    }
    entries = {name: {**asdict(one), "path": one.path.name} for name, one in made.items()}
    note.write_text(json.dumps(entries, indent=2), encoding="utf-8")
    return made


def text_files(prepared: dict[str, Prepared]) -> list[Path]:
    """The files to train on, in the order of the sources, repeats included."""
    return [prepared[source.file].path for source in ENGLISH for _ in range(source.repeats)]


def all_lines(prepared: dict[str, Prepared]) -> Iterator[str]:
    """Every prepared sentence once."""
    for one in prepared.values():
        yield from (line for line in open_lines(one.path) if line)
