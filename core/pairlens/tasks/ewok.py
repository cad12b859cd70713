"""EWoK: two contexts and two targets, each of which goes with one of them."""

from collections.abc import Iterator
from pathlib import Path

from pairlens.files.row_mistakes import row
from pairlens.tasks._base import Clusters, Numbering, PublishedTask, records
from pairlens.types import Candidate, Item


def read(path: Path) -> Iterator[Item]:
    """A folder of .jsonl files, or one of them, also as .gz or .xz: `Context1`, `Context2`, `Target1`, `Target2`,
    `Domain`, `ContextType`, `ContextDiff`, `TargetDiff`.

    An item's candidates are both targets after both contexts: T1|C1 and T2|C2 go together, T2|C1 and T1|C2 do not,
    and no single one is the right one. Every line is an item. Published files hold each item twice, the second time
    with contexts and targets swapped; both have the same `contrast`, a number. EWoK's authors ask for its texts not
    to be passed on: the task is confidential, and no message quotes a text.
    """
    number, item_and_twin = Numbering(), Clusters()
    for record in records(path, "Context1, Context2, Target1, Target2, Domain and what they differ in"):
        with row(record.line):
            contexts, targets = ([record.text(f"{name}{n}") for n in (1, 2)] for name in ("Context", "Target"))
            groups = {
                "UID": record.text("Domain"),
                "context_type": record.text("ContextType"),
                "context_contrast": record.text("ContextDiff"),
                "target_contrast": record.text("TargetDiff"),
                "contrast": item_and_twin(frozenset(zip(contexts, targets, strict=True))),
            }
            candidates = tuple(
                Candidate(f" {target}", f"T{t}|C{c}", context)
                for c, context in enumerate(contexts, start=1)
                for t, target in enumerate(targets, start=1)
            )
            yield Item(number(groups["UID"]), candidates, None, groups)


TASK = PublishedTask(
    name="ewok",
    title="EWoK",
    about="Does the model find a sentence more plausible in the context that it goes with?",
    paper="Ivanova et al. 2024, Elements of World Knowledge (EWoK), arXiv:2405.09605",
    cites=("ivanova2024ewok",),
    noun="item",
    topic="Meaning",
    language="en",
    rules=("conditional", "joint", "pmi"),
    groups=("UID", "context_type", "context_contrast", "target_contrast"),
    averaged=("UID",),
    metrics=("same_context", "same_target", "target_bias"),
    confidential=True,
    sets={"babylm-2025-05": {"tokens": "framed-unspaced", "decoder": "bos-trimmed"}},
    compared={"": ("T1|C1", "T2|C1"), "enc_dec_prefix": ("T1|C1", "T2|C2")},
    reader=read,
)
