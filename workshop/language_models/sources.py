"""The texts behind the bundled models: files, titles, licences, and how often each is read."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from pairlens.errors import InputError
from pairlens.training.packing import open_lines
from workshop import evaluation_sets, everyday
from workshop.evaluation_sets import benchmark_strings
from workshop.exclusion import Exclusion, exclusion
from workshop.language_models.contamination import contamination
from workshop.language_models.languages import LANGUAGES
from workshop.language_models.portuguese import Modernizer
from workshop.language_models.prepare import Forbids, Prepared, pick, prepare_lines


@dataclass(frozen=True)
class Source:
    """One corpus file, which enters the training text `repeats` times.

    With `picks` it is not a file, but the sentences of the language's files that the pattern finds; with `makes`, as
    many sentences made by rule.
    """

    language: str
    file: str
    title: str
    licence: str
    repeats: int = 1
    picks: re.Pattern[str] | None = None
    makes: int = 0

    @property
    def path(self) -> str:
        """Its path in the folder of the corpora."""
        return f"{self.language}/{self.file}"


NOVELS = "Texts in the public domain, markup CC BY 4.0"
STORIES = "African Storybook: short stories for children (those under CC BY-NC left out)"

CLASSICS = Source(
    "en",
    "classic-books.txt.xz",
    "Classic books in Markdown: 709 books, 1700-1960, many of them translations",
    "Public domain in the United States (a few of 1923-1960 not everywhere)",
)
ENGLISH_NOVELS = Source(
    "en", "eltec-eng.txt.xz", "European Literary Text Collection, English part: 99 novels, 1840-1920", NOVELS
)
TEXTBOOKS = Source(
    "en",
    "openstax.txt.xz",
    "OpenStax textbooks: ten modern books (anthropology to writing)",
    "CC BY 4.0 (the revisions used)",
    repeats=2,
)
ENGLISH_STORIES = Source("en", "african-storybook.txt.xz", STORIES, "CC BY")
ENGLISH = (CLASSICS, ENGLISH_NOVELS, TEXTBOOKS, ENGLISH_STORIES)
TATOEBA = Source(
    "en", "tatoeba.txt.xz", "Tatoeba: everyday sentences of today by learners and teachers", "CC BY 2.0 FR"
)
PICTURE_BOOKS = Source("en", "childrens-stories.txt.xz", "Picture books for children of today", "CC BY")
MAGAZINE_STORIES = Source(
    "en",
    "sf-stories-1950s.txt.xz",
    "Stories from magazines of the 1950s and 1960s, as Standard Ebooks has them",
    "Public domain in the United States, edition CC0",
)
EVERY_ENGLISH = (
    CLASSICS,
    ENGLISH_NOVELS,
    replace(TEXTBOOKS, repeats=4),
    replace(ENGLISH_STORIES, repeats=8),
    replace(PICTURE_BOOKS, repeats=8),
    replace(TATOEBA, repeats=6),
    replace(MAGAZINE_STORIES, repeats=4),
    Source("en", "openstax2.txt.xz", "OpenStax textbooks: eight more (anatomy to marketing)", "CC BY 4.0", 4),
    Source(
        "en", "us-presidents.txt.xz", "Speeches of presidents of the United States, 1945-2020", "Public domain", 4
    ),
    Source("en", "us-gov-web.txt.xz", "Web pages of the United States' government", "CC0 or public domain", 4),
    Source("en", "uk-gov-web.txt.xz", "Web pages of the British government", "MIT, Open Government Licence 2.0", 4),
    Source("en", "factbook.txt.xz", "The World Factbook", "CC0", 4),
    Source("en", "common-voice-lists.txt.xz", "Sentences for reading aloud, written for Common Voice", "CC0", 8),
    Source("en", "opensource-guide.txt.xz", "Open Source Guides", "CC BY 4.0", 4),
)
"""Texts of today come again until they are half of it."""

FRENCH_BOOKS = (
    Source(
        "fr",
        "eltec-fra-ext1.txt.xz",
        "European Literary Text Collection, French extension: 370 novels, 1840-1910",
        "Texts in the public domain",
    ),
    Source(
        "fr",
        "eltec-fra.txt.xz",
        "European Literary Text Collection, French part: 100 novels, 1840-1920",
        "Texts in the public domain",
    ),
    Source("fr", "african-storybook.txt.xz", STORIES, "CC BY", repeats=2),
)

OBJECT_RELATIVE = re.compile(
    r"\bqu(?:e |')(?:\w+[ '-]){0,5}?"
    r"(?:a|as|ai|ont|avons|avez|avait|avais|avaient|avions|aviez|aura|auront|aurait|eut)"
    r" (?:\w+ ){0,2}?\w+(?:ée|és|ées|ie|ies|ue|us|ues|ise|ises|ite|ites|erte|ertes|te|tes)\b"
)
"""*que*, a form of *avoir* and, soon, a word that ends like a participle that agrees."""
FRENCH = (
    *FRENCH_BOOKS,
    Source(
        "fr",
        "object-relatives",
        "Sentences of these texts with a participle that follows its object (que ... a ...ée), again",
        "as above",
        repeats=6,
        picks=OBJECT_RELATIVE,
    ),
)

PORTUGUESE = (
    Source(
        "pt",
        "eltec-por.txt.xz",
        "European Literary Text Collection, Portuguese part: 100 novels, 1840-1920, in present spelling by rule",
        NOVELS,
    ),
    Source("pt", "african-storybook.txt.xz", STORIES, "CC BY", repeats=4),
)
MADE_PORTUGUESE = Source(
    "pt",
    "everyday",
    "Everyday sentences made by rule from our own words (workshop.everyday)",
    "Apache-2.0",
    makes=300_000,
)
PORTUGUESE_CAUSAL = (
    *PORTUGUESE,
    Source(
        "pt",
        "machado-de-assis.txt.xz",
        "Machado de Assis: novels, stories, chronicles, plays and translations, 1860-1908, in present spelling",
        "Public domain",
    ),
    MADE_PORTUGUESE,
)
BILINGUAL = (
    *EVERY_ENGLISH,
    *(replace(source, repeats=5 * source.repeats) for source in PORTUGUESE),
    replace(MADE_PORTUGUESE, repeats=3),
)
"""Three times as many English words as Portuguese ones."""
RUNNING = tuple(source for source in BILINGUAL if source.file not in (TATOEBA.file, MADE_PORTUGUESE.file))
"""Those of them in which a sentence follows another one."""

SEED = 29
"""Of made sentences."""


@dataclass(frozen=True)
class Origins:
    """The corpora, the test data that must not be in the text, and lists of today's Portuguese words."""

    corpora: Path
    benchmarks: Path | None = None
    words: tuple[Path, ...] = ()


def listed(corpora: Path) -> dict[str, list[dict[str, str]]]:
    """Repository and commit of each corpus file, from `SOURCES.tsv`; keys like `en/file.txt.xz`."""
    table = corpora / "SOURCES.tsv"
    if not table.is_file():
        raise InputError(f"There is no SOURCES.tsv in {corpora}; is it the folder of the corpora?")
    found: dict[str, list[dict[str, str]]] = {}
    with table.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            found.setdefault(row["file"], []).append({"repository": row["repo"], "commit": row["commit"]})
    return found


def described(sources: Sequence[Source], prepared: Mapping[str, Prepared], corpora: Path) -> list[dict[str, Any]]:
    """The sources as a card lists them; words and sentences are counted after the filters."""
    found = listed(corpora)
    return [
        {
            "title": source.title,
            "licence": source.licence,
            "words": prepared[source.path].words,
            "sentences": prepared[source.path].sentences,
            "forbidden": prepared[source.path].forbidden,
            "repeats": source.repeats,
            "origins": found.get(source.path, []),
        }
        for source in sources
    ]


def prepared_text(sources: Sequence[Source], origins: Origins, folder: Path) -> dict[str, Prepared]:
    """Training text by :attr:`Source.path`, in `folder`; it is made where its note is missing."""
    listed(origins.corpora)
    made: dict[str, Prepared] = {}
    missing = []
    for source in sources:
        note = folder / f"{source.path}.json"
        if note.is_file():
            entry = json.loads(note.read_text(encoding="utf-8"))
            made[source.path] = Prepared(**{**entry, "path": folder / entry["path"]})
        else:
            missing.append(source)
    if missing:
        public = benchmark_strings(origins.benchmarks) if origins.benchmarks else ()
        forbidden = exclusion(chain(public, evaluation_sets.strings()))
        for source in missing:
            made[source.path] = _prepare(source, origins, folder, forbidden)
    return {source.path: made[source.path] for source in sources}


def _prepare(source: Source, origins: Origins, folder: Path, forbidden: Exclusion) -> Prepared:
    name = source.file.removesuffix(".txt.xz") + (".picked.gz" if source.picks else ".txt.gz")
    target = folder / source.language / name
    if source.picks:
        one = pick(sorted(target.parent.glob("*.txt.gz")), target, source.picks)
    else:
        forbids, language = _forbids(source.language, forbidden), LANGUAGES[source.language]
        if source.makes:
            one = prepare_lines(everyday.sentences(source.makes, SEED), target, forbids, language)
        else:
            rewrite = _modernizer(origins.words).sentence if source.language == "pt" else str
            one = prepare_lines(open_lines(origins.corpora / source.path), target, forbids, language, rewrite)
    note = {**asdict(one), "path": target.relative_to(folder).as_posix()}
    (folder / f"{source.path}.json").write_text(json.dumps(note, indent=2), encoding="utf-8")
    return one


def _forbids(language: str, forbidden: Exclusion) -> Forbids:
    if language != "fr":
        return forbidden.forbids
    pairs = contamination()
    return lambda sentence: pairs.forbids(sentence) or forbidden.forbids(sentence)


def _modernizer(lists: Sequence[Path]) -> Modernizer:
    if not lists:
        raise InputError(
            "Portuguese text needs lists of today's words: name them with --words"
            " (Debian has them in the packages wbrazilian and wportuguese)."
        )
    return Modernizer(word for path in lists for word in open_lines(path))


def text_files(sources: Sequence[Source], prepared: Mapping[str, Prepared]) -> list[Path]:
    """The files to train on, in the order of the sources, repeats included."""
    return [prepared[source.path].path for source in sources for _ in range(source.repeats)]


def all_lines(prepared: Mapping[str, Prepared]) -> Iterator[str]:
    """Every prepared sentence once."""
    for one in prepared.values():
        yield from (line for line in open_lines(one.path) if line)
