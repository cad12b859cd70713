"""Questions that another program asked and judged: each has a verdict, and no log-probabilities."""

from collections.abc import Iterable
from pathlib import Path

from pairlens.files.logs import Question, inspect_ai, lm_eval, verdicts
from pairlens.files.tables import ending, files
from pairlens.tasks._base import PublishedTask
from pairlens.tasks._questions import judged
from pairlens.types import Item

ENDINGS = (".csv", ".tsv", ".xlsx", ".parquet", ".jsonl", ".json", inspect_ai.SUFFIX)


def read(path: Path) -> Iterable[Item]:
    """Tables with a row per item that says whether the answer was right, samples of lm-evaluation-harness, logs of
    inspect-ai. `UID` is the program's task, or the paradigm.
    """
    return judged(question for file in files(path, ENDINGS) for question in _questions(file))


def _questions(file: Path) -> Iterable[Question]:
    if ending(file) in (".json", inspect_ai.SUFFIX):
        return inspect_ai.read(file).questions
    return lm_eval.questions(file) if ending(file) == ".jsonl" else verdicts.read(file, {}).questions


TASK = PublishedTask(
    name="answers",
    title="Answers",
    about="How often was the model right, as another program judged?",
    noun="question",
    topic="Your file",
    rules=("conditional",),
    groups=("UID",),
    averaged=("UID",),
    instead="The answers of $task were given elsewhere: `$program import FILE` reads them.",
    reader=read,
)
