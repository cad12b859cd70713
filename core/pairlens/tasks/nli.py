"""Natural language inference: which label does a premise give a hypothesis?"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pairlens.files.nli.items import of_corpora
from pairlens.files.nli.readers import read_corpus
from pairlens.files.tables import ending, files
from pairlens.tasks._base import PublishedTask
from pairlens.types import Item

_ENDINGS = (".xml", ".tsv", ".txt", ".jsonl")
"""Of the files in a folder; a file that is named may have any."""
_ANSWERS = "_answers"
"""In the name of a file: it holds what a model said of the pairs in another file of the folder."""


def read(path: Path) -> Iterator[Item]:
    """A file that `pairlens.files.nli.readers` reads (ASSIN's XML, SICK, SNLI's JSON lines, a table), or a folder.

    A folder without such files may have folders with them, as one per data set.

    An item is a pair; its context holds premise and hypothesis, a line each, and its candidates are labels: the
    data's own here, a model's where a model is asked (`pairlens.studies.nli.runs`). Groups:

        gold_label    what the data say, `unknown` where they do not
        direction     `forward`, or `reverse` where premise and hypothesis are swapped
        split, pair   the part of the data; the pair's id
        contrast      its related set of sentences: pairs of one set are not independent
    """
    return of_corpora(
        replace(read_corpus(file), name=file.relative_to(path).as_posix() if path.is_dir() else file.name)
        for file in files_of(path)
    )


def files_of(path: Path) -> list[Path]:
    """The files of pairs at a path: itself, or those of a folder, or where it has none those of the folders in it."""
    folders = [path]
    if path.is_dir() and not any(ending(file) in _ENDINGS for file in path.iterdir()):
        folders = sorted(folder for folder in path.iterdir() if folder.is_dir()) or [path]
    paths = [file for folder in folders for file in files(folder, _ENDINGS)]
    return [file for file in paths if _ANSWERS not in file.name] or paths


TASK = PublishedTask(
    name="nli",
    title="Entailment",
    version=2,
    about="Does the model see what follows from a sentence, whatever labels the data and the model have?",
    topic="Meaning",
    rules=("conditional",),
    groups=("gold_label", "direction", "split"),
    instead="Models are asked about premises and hypotheses with `$program nli predict`, page Entailment.",
    page="Entailment",
    page_compares="judges models whatever labels they and the data have, and compares them pair by pair",
    reader=read,
)
