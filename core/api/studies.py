"""The call of a study that has none of its own: fields, a model or several, choices in; its result out."""

from collections.abc import Callable, Iterable
from typing import Any, cast, get_type_hints

from core.api.asking import Choices, asking
from core.results.result import Result
from core.studies.study import Study, ask, controls


def call(study: Study[Any, Any]) -> Callable[..., Result]:
    """A function with the study's fields as arguments, as `core.api.texts.compare` is one."""

    def answer(*values: Any, model: str | Iterable[str] = "english-small", **choices: Any) -> Result:
        from core.store import Store

        own = {name: choices.pop(name) for name in controls(study.fields) if name in choices}
        request, models = asking(cast("Choices", choices)), [model] if isinstance(model, str) else [*model]
        return ask(study, study.fields(*values, **own), [request.recipe(name) for name in models], Store())

    answer.__name__, answer.__doc__ = study.name, study.about
    answer.__annotations__ |= get_type_hints(study.fields)
    return answer
