"""Groups of options: a verb's parameter may be a dataclass whose fields are options of the command line."""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, get_type_hints

import typer

from pairlens.studies.study import Control


def spread(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb as typer takes it: the fields of a parameter that is a dataclass become options in its place.

    Parameters are keyword-only, as a group has no default; no two fields or parameters share a name.
    """
    own = signature(verb, eval_str=True)
    groups: dict[str, Any] = {
        name: one.annotation for name, one in own.parameters.items() if is_dataclass(one.annotation)
    }

    @wraps(verb)
    def gathered(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        verb(**values)

    options = [option for parameter in own.parameters.values() for option in _options(parameter)]
    gathered.__dict__["__signature__"] = own.replace(parameters=options)
    return gathered


def option(about: str, *names: str, default: Any = None) -> Any:
    """A field of a group: an option of these names."""
    return dataclasses.field(default=default, metadata={"control": Control("", about, " ".join(names))})


def flag(about: str, *names: str) -> Any:
    """A field of a group: an option without a value, off unless it is given."""
    return option(about, *names, default=False)


def _options(parameter: Parameter) -> Iterator[Parameter]:
    group = parameter.annotation
    if not is_dataclass(group):
        yield parameter
        return
    annotations = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = Parameter.empty if field.default is MISSING else field.default
        annotation = _spelled(field, annotations[field.name])
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _spelled(field: Field[Any], annotation: Any) -> Any:
    """A field's annotation; one of a study is spelled as its control says (`pairlens.studies.study`)."""
    control: Control | None = field.metadata.get("control")
    if control is None:
        return annotation
    option = typer.Option(*control.spelling.split(), help=control.help) if control.spelling else None
    return Annotated[annotation, option or typer.Argument(metavar=control.label, help=control.help)]
