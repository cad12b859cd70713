"""Sentences for people, made once: a template in English and its arguments.

    >>> Message("There is no file {path}.", path="a.csv")
    'There is no file a.csv.'

`pairlens.text.languages` says it in another language: the template is translated first, and then filled in. Arguments
may be messages themselves; numbers have their format in the template (`{n:,}`, `{share:.1%}`), as `format` reads it.
A template without arguments is taken as it is, braces and all.
"""

from collections.abc import Iterable, Mapping
from functools import reduce
from numbers import Real
from string import Formatter
from typing import Any, Self


class Message(str):
    """An English sentence with its `template` and `arguments`; `plural` is the template for several, if it counts."""

    template: str
    plural: str
    arguments: Mapping[str, object]

    def __new__(cls, template: str, /, **arguments: object) -> Self:
        message = super().__new__(cls, _ENGLISH.vformat(template, (), arguments) if arguments else template)
        message.template, message.plural, message.arguments = template, "", arguments
        return message


def one_or_more(one: str, several: str, /, **arguments: object) -> Message:
    """A message about `n` of something, which is an argument: the template `one` for one of them, else `several`."""
    chosen = one if arguments["n"] == 1 else several
    message = Message(chosen, **arguments)
    message.template, message.plural = one, several
    return message


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def joined(parts: Iterable[str], between: str = " ") -> Message:
    named = {f"part{place}": part for place, part in enumerate(parts)}
    between = between.replace("{", "{{").replace("}", "}}")
    return Message(between.join(f"{{{name}}}" for name in named), **named)


def either(parts: Iterable[str]) -> str:
    return reduce(lambda one, other: Message("{one} or {other}", one=one, other=other), parts)


def both(parts: Iterable[str]) -> str:
    return reduce(lambda one, other: Message("{one} and {other}", one=one, other=other), parts)


def packed(message: str) -> Any:
    """A message, or a plain text, for JSON."""
    if not isinstance(message, Message):
        return message
    arguments = {
        name: _plain(value) if isinstance(value, Real) else packed(value if isinstance(value, str) else str(value))
        for name, value in message.arguments.items()
    }
    return {"template": message.template, "plural": message.plural, "arguments": arguments}


def _plain(value: Any) -> Any:
    """A number that JSON can hold: numpy's own cannot be written."""
    return value.item() if hasattr(value, "item") else value


def unpacked(content: Any) -> str:
    if not isinstance(content, dict):
        return str(content)
    arguments = {
        name: value if isinstance(value, Real) else unpacked(value) for name, value in content["arguments"].items()
    }
    templates = [content[name] for name in ("template", "plural") if content[name]]
    return one_or_more(*templates, **arguments) if content["plural"] else Message(*templates, **arguments)


class Filling(Formatter):
    """Fills in templates in English; per cent has a space before its sign."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:  # noqa: ARG002
        """An argument by its name: templates reach no attributes."""
        return kwargs[field_name], field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.endswith("%"):
            return f"{100 * value:{format_spec[:-1]}f}\u00a0%"
        return str(super().format_field(value, format_spec))


_ENGLISH = Filling()
