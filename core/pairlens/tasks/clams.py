"""CLAMS: agreement of subject and verb in made sentences of five languages, a good and a bad one per item."""

import re
from collections.abc import Iterator
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.tables import ending, files, read_lines
from pairlens.tasks._agreement_pairs import stem
from pairlens.tasks._base import UNKNOWN, Numbering, PublishedTask, by_language, pair
from pairlens.types import Item

_ENDING = ".txt"
_FOLDER = re.compile(r"([a-z]{2,3})_evalset")
_LABELS = ("True", "False")
_Line = tuple[int, str, str]
"""Number, label and sentence."""


def read(path: Path) -> Iterator[Item]:
    """The folders of several languages (`en_evalset`), or one of them, or a file (.txt), also as .gz or .xz.

    Each line has `True` or `False`, a TAB and a sentence; two lines that follow each other are a pair, one of each,
    always in the same order.
    What decides is the whole sentence. The templates are groups (`UID`, the file's name), and so is the `language`,
    which is known by the folder's name; averages are over templates, then over languages. The English files are the
    templates of Marvin & Linzen (2018), reflexives and *ever* included.

    Sentences have no capital and no mark at their end, which the paper adds for some of its results and we do not:
    models that know ordinary text see an unusual one. They are cut into tokens (`l' auteur`, ` , `): our own preset
    joins them by the rules for French, which also join the commas of German and Russian and change nothing else in
    the released files. Hebrew prefixes stay apart.
    """
    number = Numbering()
    for folder, language in by_language(path, _FOLDER):
        for file in files(folder, (_ENDING,)):
            uid = stem(file)
            name = uid if language == UNKNOWN else f"{language}_{uid}"
            for good, bad in _pairs(file):
                yield pair(number(name), good, bad, {"UID": uid, "language": language})


def _pairs(file: Path) -> Iterator[tuple[str, str]]:
    if ending(file) != _ENDING:
        raise InputError(f"cannot read a file of this kind. Expected {_ENDING}; also as .gz or .xz.", file.name)
    numbered = enumerate(read_lines(file), start=1)
    lines = [_line(number, text, file.name) for number, text in numbered if text.strip()]
    if not lines:
        raise InputError("no sentence. Expected lines with True or False, a TAB and a sentence.", file.name)
    for first, second in zip(lines[::2], lines[1::2], strict=False):
        if first[1] != lines[0][1]:
            raise InputError(
                f"the pair begins with '{first[1]}', the file with '{lines[0][1]}': a line may be missing above.",
                f"{file.name}, line {first[0]}",
            )
        if first[1] == second[1]:
            raise InputError(
                f"a second line of '{second[1]}', after line {first[0]}. Expected pairs of lines, one True and one "
                "False.", f"{file.name}, line {second[0]}",
            )  # fmt: skip
        good, bad = sorted((first, second), key=lambda line: _LABELS.index(line[1]))
        yield good[2], bad[2]
    if len(lines) % 2:
        raise InputError("this line has no partner. Expected pairs of lines.", f"{file.name}, line {lines[-1][0]}")


def _line(number: int, text: str, name: str) -> _Line:
    label, _, sentence = text.partition("\t")
    if label not in _LABELS or not sentence.strip():
        raise InputError(
            f"expected True or False, a TAB and a sentence; found {text[:40]!r}.", f"{name}, line {number}"
        )
    return number, label, sentence.strip()


TASK = PublishedTask(
    name="clams",
    title="CLAMS",
    about="Does the verb agree with its subject, in English, French, German, Hebrew and Russian?",
    paper="Mueller et al. 2020, Cross-Linguistic Syntactic Evaluation of Word Prediction Models, ACL; English: "
    "Marvin & Linzen 2018, Targeted Syntactic Evaluation of Language Models, EMNLP",
    cites=("mueller2020clams", "marvin2018targeted"),
    topic="Grammar",
    rules=("joint",),
    groups=("UID", "language"),
    averaged=("language", "UID"),
    sets={"pairlens": {"detokenise": "fr"}},
    reader=read,
)
