"""Words that children learn, each after many contexts: BabyLM's age of acquisition, from CDI words in CHILDES."""

from collections.abc import Iterator
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.tables import files, read_json
from pairlens.tasks._base import PublishedTask
from pairlens.types import Candidate, Item

ENDINGS = (".json",)
_EXPECTED = 'a JSON object {"word": [{"context": "..."}, ...], ...}'


def read(path: Path) -> Iterator[Item]:
    """A .json file, also as .gz or .xz, or a folder of them: per word a list of contexts that it follows.

    One item per word and context; its id is `<word>_<number of the context>`, its group the word. White space around
    a context is left out and one space put between it and the word. One checkpoint gives one surprisal per item;
    learning curves over checkpoints are made of them by `pairlens.analysis.acquisition`.
    """
    known: set[str] = set()
    for file in files(path, ENDINGS):
        document = read_json(file, _EXPECTED)
        if not isinstance(document, dict) or not document:
            raise InputError(f"expected {_EXPECTED}.", file.name)
        for word, contexts in ((name.strip(), value) for name, value in document.items()):
            where = f"{file.name}, word {word!r}"
            if not word or word in known:
                raise InputError("it is empty or there already.", where)
            known.add(word)
            yield from _items(word, contexts, where)


def _items(word: str, contexts: object, where: str) -> Iterator[Item]:
    if not isinstance(contexts, list) or not contexts:
        raise InputError('expected a list of contexts [{"context": "..."}, ...].', where)
    for number, entry in enumerate(contexts):
        context = entry.get("context") if isinstance(entry, dict) else None
        if not isinstance(context, str):
            raise InputError(f'expected {{"context": "..."}}, found {str(entry)[:40]!r}.', f"{where}, entry {number}")
        before = context.strip()
        candidate = Candidate(f" {word}" if before else word, word, before)
        yield Item(f"{word}_{number}", (candidate,), groups={"UID": word})


TASK = PublishedTask(
    name="aoa",
    title="Age of acquisition",
    about="How surprised is the model by each of the words that children learn?",
    paper="Chang & Bergen 2022, Word Acquisition in Neural Language Models, TACL 10",
    cites=("chang2022acquisition",),
    noun="context",
    topic="Human data",
    language="en",
    rules=("conditional",),
    groups=("UID",),
    averaged=("UID",),
    metrics=("surprisal",),
    prediction="checkpoints",
    sets={"babylm-2025": {"tokens": "unspaced"}},
    reader=read,
)
