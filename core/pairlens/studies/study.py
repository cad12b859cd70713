"""What a study is: a question with fields, the answers of models, and the result that they come to.

The fields are declared once, as a dataclass whose fields are `control`s. From it come the options of the verb
(`pairlens.cli.study`), the keyword arguments of the library's call, and the keys, labels and helps of the page's
boxes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pairlens.errors import InputError
from pairlens.messages import Message
from pairlens.results.result import Notice, Result
from pairlens.scoring.recipe import Recipe
from pairlens.text import unread

if TYPE_CHECKING:
    from pairlens.store import Store
    from pairlens.types import Request, Scorer

_NAMED, _NAMED_WORDS = 12, 5
"""So many characters, and words, are named in a notice."""


@dataclass(frozen=True, slots=True)
class Control:
    """How a field is put to people: the `label` of its box, a `help`, and how the command line spells it.

    `spelling` is that of an option (`--forms`), or several with blanks between; without one the field is an argument,
    by its place.
    """

    label: str
    help: str
    spelling: str = ""


def control(label: str, help: str, *, spelling: str = "", default: Any = MISSING) -> Any:
    """A field of a study's dataclass; without a default it has to be given."""
    return field(default=default, metadata={"control": Control(label, help, spelling)})


def controls(declared: type) -> dict[str, Control]:
    """The controls of a study's fields, by name."""
    return {field.name: field.metadata["control"] for field in fields(declared)}


Fields = TypeVar("Fields")
Answer = TypeVar("Answer")


class Study(Protocol[Fields, Answer]):
    """A question about texts that models answer. `name` is that of its verb and of its call."""

    name: str
    question: str
    """In one sentence, with its question mark."""
    about: str
    """The help of its verb: what is printed, in what unit."""
    fields: type[Fields]
    examples: Sequence[Fields]
    """One question or several that tests ask; a page without one of its own begins with the first."""

    def requests(self, question: Fields) -> list[Request]:
        """The texts that every model is asked to score; InputError for fields that make no question."""

    def answer(
        self, question: Fields, recipe: Recipe, store: Store, scorer: Callable[[], Scorer] | None = None
    ) -> Answer:
        """The answer of one model; scores that are not stored are computed now with `scorer()`."""

    def result(self, question: Fields, answers: Sequence[Answer]) -> Result:
        """What the answers come to, one of each model, the first of which is shown where there is room for one."""


@cache
def studies() -> Mapping[str, Study[Any, Any]]:
    """By name, the `STUDY` of every folder beside this file that has a `study.py`."""
    names = sorted(path.parent.name for path in Path(__file__).parent.glob("*/study.py"))
    listed = [import_module(f"pairlens.studies.{name}.study").STUDY for name in names]
    return {study.name: study for study in listed}


def ask(study: Study[Fields, Any], question: Fields, recipes: Sequence[Recipe], store: Store) -> Result:
    """The result of a study with these models; InputError if one is named twice, since names tell them apart."""
    names = [recipe.model.name for recipe in recipes]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise InputError(f"the model {twice} is named twice: name each once.")
    return study.result(question, [study.answer(question, recipe, store) for recipe in recipes])


def command_of(study: Study[Fields, Any], question: Fields, recipes: Sequence[Recipe]) -> str:
    """The command line that makes a result again."""
    from pairlens.evaluation.command import of_study

    values = {name: (one.spelling, str(getattr(question, name))) for name, one in controls(study.fields).items()}
    return shlex.join(["pairlens", *of_study(study.name, values.values(), recipes)])


def call_of(study: Study[Fields, Any], question: Fields, recipes: Sequence[Recipe]) -> str:
    """The same in Python."""
    policy, names = recipes[0].policy, [recipe.model.name for recipe in recipes]
    arguments = {name: getattr(question, name) for name in controls(study.fields)}
    arguments |= {"model": names if len(names) > 1 else names[0], "like": policy.name.partition(",")[0]}
    arguments |= policy.changes()
    return f"pairlens.{study.name}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


def unread_notices(texts: Sequence[str], recipe: Recipe) -> Iterator[Notice]:
    """What a model has not, or hardly, read of these texts; if it cannot read them at all, only that."""
    from pairlens.models.unreadable import why_unreadable

    if reason := why_unreadable(texts, recipe.policy, recipe.model):
        yield Notice("unreadable", "instead", reason, recipe.model.name)
        return
    yield from filter(None, (strange_characters(texts, recipe), strange_words(texts, recipe)))


def strange_characters(texts: Iterable[str], recipe: Recipe) -> Notice | None:
    """The characters that a model's training text lacked, where its card says which ones it had."""
    strange, name = unread(texts, recipe.policy, recipe.model.card), recipe.model.name
    if not strange:
        return None
    characters = f"\u2068{' '.join(strange[:_NAMED])}\u2069"  # apart from what follows, whichever way they run
    more = Message(" and {n} more", n=len(strange) - _NAMED) if len(strange) > _NAMED else ""
    message = Message(
        "{name} has never read {characters}{more}: what it makes of words with them says little.",
        name=name, characters=characters, more=more,
    )  # fmt: skip
    return Notice("characters", "warning", message, name)


def strange_words(texts: Sequence[str], recipe: Recipe) -> Notice | None:
    """The words that a model has hardly read: where the texts as a whole can be read, they spoil little."""
    from pairlens.models.unreadable import hardly_read

    words, name = ", ".join(hardly_read(texts, recipe.policy, recipe.model)[:_NAMED_WORDS]), recipe.model.name
    if not words:
        return None
    message = Message(
        "{name} has hardly read: {words}. What it makes of such words says little.", name=name, words=words
    )
    return Notice("words", "warning", message, name)
