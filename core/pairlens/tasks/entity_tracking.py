"""Entity tracking: what is in the box, after things were moved about? Items with any number of options."""

from collections.abc import Iterator
from pathlib import Path

from pairlens.files.row_mistakes import row
from pairlens.tasks._base import Clusters, Numbering, PublishedTask, Record, records
from pairlens.types import Candidate, Item


def read(path: Path) -> Iterator[Item]:
    """A folder of .jsonl files, or one of them, also as .gz or .xz: `input_prefix`, `options`, `numops`.

    The first option is right. The file is the split (`regular`, `ambiref`, `move_contents`), split and number of
    operations are the paradigm (`regular_2_ops`); the headline is the mean over splits of the means over their
    paradigms. Items that begin with the same situation (first sentence) share their `contrast`. Prefix and option
    are joined as they are; as in BabyLM the space at the end of the prefix belongs to it, and is not scored where a
    tokenizer makes it a token of its own.
    """
    number, situation = Numbering(), Clusters()
    for record in records(path, "input_prefix, options (the right one first) and numops"):
        with row(record.line):
            prefix, options = record.text("input_prefix"), record.texts("options")
            if len(options) < 2:
                record.refuse(f"field 'options' must have at least two entries, found {len(options)}")
            uid = f"{record.stem}_{_operations(record)}_ops"
            groups = {"UID": uid, "split": record.stem, "contrast": situation(prefix.partition(".")[0])}
            candidates = (Candidate(option, f"option {n}", prefix) for n, option in enumerate(options, start=1))
            yield Item(number(uid), tuple(candidates), "option 1", groups)


def _operations(record: Record) -> int:
    count = record.number("numops")
    if count < 0 or count % 1:
        record.refuse("field 'numops' must be a number of operations: 0, 1, 2, ...")
    return int(count)


TASK = PublishedTask(
    name="entity_tracking",
    title="Entity tracking",
    about="Does the model know what a box contains after things were moved, put in and taken out?",
    paper="Kim & Schuster 2023, Entity Tracking in Language Models, ACL",
    cites=("kim2023entity",),
    noun="item",
    topic="Meaning",
    language="en",
    rules=("conditional", "pmi"),
    groups=("UID", "split"),
    averaged=("split", "UID"),
    splits=("regular", "ambiref", "move_contents"),
    reader=read,
)
