"""Multiple choice: which of several texts is likeliest after a context? Questions from another program's log."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pairlens.files.logs import Question, inspect_ai, lm_eval
from pairlens.files.tables import ending, files, read_json
from pairlens.tasks._base import PublishedTask
from pairlens.tasks._questions import items
from pairlens.types import Item

ENDINGS = (".jsonl", ".json", inspect_ai.SUFFIX)


def read(path: Path) -> Iterator[Item]:
    """Samples of lm-evaluation-harness, a log of inspect-ai, or a folder of them: the questions with one right text.

    The choices follow their context as the log has them, with the space between. `UID` is the program's task.
    """
    for file in files(path, ENDINGS):
        yield from items(question for question in _questions(file) if question.gold is not None)


def _questions(file: Path) -> Iterable[Question]:
    if ending(file) == ".jsonl":
        return lm_eval.questions(file)
    if ending(file) == ".json" and lm_eval.is_results(read_json(file, "a log", nan=True)):
        return ()
    return inspect_ai.read(file).questions


TASK = PublishedTask(
    name="choices",
    title="Multiple choice",
    about="Which of several texts does the model find likeliest after a context?",
    noun="question",
    topic="Your file",
    rules=("conditional", "pmi"),
    groups=("UID",),
    averaged=("UID",),
    metrics=("accuracy", "accuracy_per_character"),
    reader=read,
)
