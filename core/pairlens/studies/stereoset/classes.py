"""The published names of model classes, and how each kind of model is asked about each task."""

from dataclasses import dataclass
from typing import Any

from pairlens.errors import PolicyError, unknown
from pairlens.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, KINDS
from pairlens.studies.study import control

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class ModelClass:
    """How models of some kinds are asked about a task.

    `scorer` is empty for that of the model's kind. `rule` is one of the task's. `words`: whether the word in its gap
    is asked for, `closed`: whether contexts end with a sentence mark; as published, those of all cases do.
    """

    name: str
    kinds: tuple[str, ...]
    about: str
    rule: str
    scorer: str = ""
    words: bool = False
    closed: bool = False


_WITHIN = "auto: by the model's kind | BertLM, T5LM, mT5LM: the word in its gap | GPT2LM: the sentence."
_BETWEEN = "auto | BertNextSentence, ModelNSP: next sentence or not | GPT2LM, T5LM, mT5LM, BertLM: a case."
_SPACED = "Whether a candidate alone, and as stereoset a word, keeps the space before it (as stereoset: no)."
_END = "Whether the end of the text counts as a token (as stereoset: for T5)."


def _choice(option: str, help: str, default: Any = "") -> Any:
    """A field that is an option, in both spellings if it has one name."""
    others = "" if "/" in option else f" --{option.replace('-', '_')}"
    return control(option, help, spelling=f"--{option}{others}", default=default)


@dataclass(frozen=True, slots=True)
class StereoSetChoices:
    """What can be chosen beside the model, the policy and the case; None and "" stand for what is usual.

    `nsp_model_path` is asked between sentences in place of the model; `words` and `end` are as in `TaskRequest`.
    """

    intrasentence_model: str = _choice("intrasentence-model", _WITHIN, AUTO)
    intersentence_model: str = _choice("intersentence-model", _BETWEEN, AUTO)
    nsp_model_path: str = _choice("nsp-model-path", "ModelNSP, BertNextSentence: a model with a trained head.")
    words: str = _choice("word-value", "joint: the word's probability | mean: that of its tokens (as stereoset).")
    spaced: bool | None = _choice("leading-space/--no-leading-space", _SPACED, None)
    end: bool | None = _choice("end-symbol/--no-end-symbol", _END, None)
    from_context: bool = _choice("from-context", "GPT2LM: sentences in the letter case of their context.", False)


USUAL = StereoSetChoices()
_LEFT_TO_RIGHT = ("causal", "served", "unigram")
_WORD = "the word, hidden in its context"
_NEXT = "whether the candidate is the next sentence"
_CASE = "a case (--case-no), per token"


_CLASSES = {
    INTRASENTENCE: (
        ModelClass("BertLM", ("masked",), _WORD, "gap", words=True),
        ModelClass("GPT2LM", _LEFT_TO_RIGHT, "the whole sentence, per token", "conditional"),
        ModelClass("T5LM", ("seq2seq",), _WORD, "gap", "seq2seq_mask", words=True),
        ModelClass("mT5LM", ("seq2seq",), _WORD, "gap", "seq2seq_mask", words=True),
    ),
    INTERSENTENCE: (
        ModelClass("BertNextSentence", ("next-sentence",), _NEXT, "conditional"),
        ModelClass("ModelNSP", ("next-sentence",), f"{_NEXT}, by a trained head", "conditional"),
        ModelClass("GPT2LM", _LEFT_TO_RIGHT, _CASE, "cases", closed=True),
        ModelClass("T5LM", ("seq2seq",), f"{_CASE}, the context in the encoder", "cases"),
        ModelClass("mT5LM", ("seq2seq",), f"{_CASE}, the context in the encoder", "cases"),
        ModelClass("BertLM", ("masked",), f"{_CASE}, each token hidden in turn", "cases", closed=True),
    ),
}
CLASSES = {task: {one.name: one for one in classes} for task, classes in _CLASSES.items()}
"""By task and published name; of those for models of a kind the usual one comes first.

`BertLM` between sentences is ours: for masked models without a next-sentence head.
"""


def kinds_left(skipped: tuple[bool, bool]) -> list[str]:
    """The tasks that are not skipped; PolicyError if both are."""
    kinds = [kind for kind, skip in zip(KINDS, skipped, strict=True) if not skip]
    if not kinds:
        raise PolicyError("Nothing is left: both tasks are skipped.")
    return kinds


def class_named(task: str, name: str) -> ModelClass:
    """The class of that name for a task; PolicyError with the choices for another."""
    classes = CLASSES[task]
    if name not in classes:
        raise PolicyError(unknown(f"{task} model", name, [AUTO, *classes]))
    return classes[name]


def usual_class(task: str, kind: str) -> ModelClass:
    """The class for models of this kind; PolicyError where the task cannot be asked of them."""
    usual = {kind: one for one in reversed(CLASSES[task].values()) for kind in one.kinds}
    if kind not in usual:
        raise PolicyError(
            f"A {kind} model cannot be asked about {task} examples: take one that is {', '.join(sorted(usual))}, or "
            f"--skip-{task}."
        )
    return usual[kind]
