"""A result: whatever a study asks, what it found has this one shape, with units and sentences.

How it is drawn is decided elsewhere: by a page, a terminal, a file or a report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pairlens.errors import InputError, unknown
from pairlens.results.text import text

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.charts.drawing import Chart

_UNFIT = re.compile(r"[^\w.]+")
"""What is not put into names of files."""
_ENDING = re.compile(r"\.[a-z]{2,7}(\.gz)?$")
_LONGEST_NAME = 40
Severity = Literal["detail", "remark", "note", "warning", "instead"]
"""What a notice changes: nothing (a detail is for those who ask), what to think of, what a number means; `instead`:
there is no finding but this."""


@dataclass(frozen=True, slots=True)
class Headline:
    """One number of one model and the sentence that says it; headlines of one `name` are comparable over models.

    `value` is in `unit`, NaN where there is none; `interval` are its 95 % bounds, if it has any. It is about `n`
    items, which `items` describes, with what they are a sample of. `more` are further values that the sentence is
    made from, by name.
    """

    name: str
    model: str
    value: float
    unit: str
    sentence: str
    n: int
    items: str
    interval: tuple[float, float] | None = None
    more: Mapping[str, float | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: `title`, `unit`, a sentence `about` it, and its numbers' `form` (`.2f`, `.1%`)."""

    name: str
    title: str
    about: str
    unit: str = ""
    form: str = ""
    drawn: bool = True

    @property
    def heading(self) -> str:
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclass(frozen=True)
class Table:
    """A data frame, made when it is first asked for, with a description of each of its `columns`, in their order.

    People are shown its first `most` rows, and before them what `lead` says; files have all. A table of which no
    column is drawn is in files only.
    """

    name: str
    title: str
    columns: Sequence[Column]
    make: Callable[[], pd.DataFrame]
    most: int = 1_000
    lead: Callable[[], str] = str

    @classmethod
    def of(
        cls, name: str, title: str, columns: Sequence[Column], frame: pd.DataFrame, lead: str = "", most: int = 1_000
    ) -> Table:
        """Of a frame: those of the columns that it has, in this order; what else it has is in files only."""
        known = [column for column in columns if column.name in frame]
        named = {column.name for column in known}
        others = [Column(str(one), str(one), "As in the data.", drawn=False) for one in frame if one not in named]
        ordered = [*known, *others]
        return cls(name, title, ordered, lambda: frame[[one.name for one in ordered]], most, lambda: lead)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """All columns under their names, for programs."""
        return self.make()

    @property
    def drawn(self) -> Sequence[Column]:
        return [column for column in self.columns if column.drawn]

    def for_people(self) -> pd.DataFrame:
        shown = self.frame.head(self.most)[[column.name for column in self.drawn]]
        return shown.set_axis([column.heading for column in self.drawn], axis="columns")


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart of the `table` of that name, or of some of its rows; `finding` says what is to be seen in it.

    Where there is room for one thing at a time it stands above all tables, or `beside` its own. `panel` is the title
    of one of several that are looked at together.
    """

    name: str
    table: str
    draw: Callable[[pd.DataFrame], Chart]
    finding: str
    beside: bool = False
    panel: str = ""


@dataclass(frozen=True, slots=True)
class Export:
    """A file in a form that others have fixed, made when it is asked for; `label` names the form."""

    label: str
    ending: str
    make: Callable[[], str | bytes]


@dataclass(frozen=True, slots=True)
class Notice:
    """What to keep in mind about a result, of one `model` or (empty) of all; `advice` says what to do about it."""

    name: str
    severity: Severity
    message: str
    model: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a result was made.

    `receipt` is the whole computation as plain JSON values, with its `signature`; `methods` are sentences for a paper
    about all models, `bibtex` what to cite; `command` and `call` make the result again on the command line and in
    Python; `run_ids` are the stored runs behind it.
    """

    receipt: Mapping[str, Any]
    methods: str
    bibtex: str
    run_ids: Sequence[str] = ()
    command: str = ""
    call: str = ""

    @property
    def signature(self) -> str:
        """One line that tells this computation from others; empty if there is none."""
        return str(self.receipt.get("signature") or "")


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What a study found about its `question`. Headlines and tables are also attributes, by their names.

    `study` is the name of the verb, `title` says of what it is the result, `file` begins the names of its files. What
    costs time is made when it is asked for: the frames of `tables`, the charts of `figures`, `provenance`.
    """

    study: str
    question: str
    title: str
    file: str
    headlines: Sequence[Headline]
    tables: Sequence[Table]
    figures: Sequence[Figure]
    notices: Sequence[Notice]
    trace: Callable[[], Provenance]
    exports: Sequence[Export] = ()

    @cached_property
    def provenance(self) -> Provenance:
        return self.trace()

    @property
    def stem(self) -> str:
        """How names of its files begin: the verb, what it is about, its models (of many the first), the day."""
        more = f"{len(self.models) - 1} more" if len(self.models) > 2 else ""
        models = [model.rstrip("/").rpartition("/")[2] for model in (self.models[:1] if more else self.models)]
        title = _ENDING.sub("", self.title)[:_LONGEST_NAME]
        unnamed = [model for model in models if model not in title]
        parts = self.study, title, *unnamed, more, f"{date.today():%Y-%m-%d}"
        return "-".join(filter(None, (_UNFIT.sub("-", part.lower()).strip("-") for part in parts)))

    @property
    def models(self) -> Sequence[str]:
        return list(dict.fromkeys(headline.model for headline in self.headlines))

    @property
    def sentences(self) -> Mapping[str, Sequence[str]]:
        """What was found, by model: the sentences of its headlines, or what is to be said instead of them."""
        return {
            model: self.instead_of(model)
            or [headline.sentence for headline in self.headlines if headline.model == model and headline.sentence]
            for model in self.models
        }

    def instead_of(self, model: str) -> list[str]:
        """What is to be said instead of a model's findings; empty where they can be believed."""
        return [notice.message for notice in self.notices if notice.model == model and notice.severity == "instead"]

    def notices_of(self, *models: str) -> list[Notice]:
        """The notices about these models (an empty name: about all), but not what stands instead of findings."""
        return [notice for notice in self.notices if notice.model in models and notice.severity != "instead"]

    @property
    def cautions(self) -> list[str]:
        """The notices about all models and about each, as lines of text."""
        named = len(self.models) > 1
        return [
            " ".join(filter(None, (f"{one.model}:" if named and one.model else "", one.message, one.advice)))
            for one in self.notices_of("", *self.models)
        ]

    def table(self, name: str = "") -> Table:
        """The table of this name, by default the first; InputError for one that is not there."""
        by_name = {table.name: table for table in self.tables}
        if name and name not in by_name:
            raise InputError(unknown("table", name, by_name))
        return by_name[name] if name else self.tables[0]

    def __getattr__(self, name: str) -> Any:
        """`result.words`: a table's frame; `result.margin`: a headline's value, a series for several models."""
        if name.startswith("_"):
            raise AttributeError(name)
        if any(table.name == name for table in self.tables):
            return self.table(name).frame
        values = {
            headline.model: self._values(headline)[name]
            for headline in self.headlines
            if name in self._values(headline)
        }
        if not values:
            raise AttributeError(f"a result of {self.study} has no '{name}'; it has {', '.join(self._names())}")
        if len(self.models) == 1:
            return next(iter(values.values()))
        import pandas as pd

        return pd.Series(values, name=name).rename_axis("model")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names()]

    def __repr__(self) -> str:
        return "\n".join(f"{model}: {' '.join(sentences)}" for model, sentences in self.sentences.items())

    def __str__(self) -> str:
        """As the command line prints it."""
        return text(self)

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        from pairlens.results.notebook import html

        return html(self)

    @property
    def chart(self) -> Chart:
        """The first of its figures, as a chart of Altair's; InputError if there is none."""
        if not self.figures:
            raise InputError(f"a result of {self.study} has no chart: there is nothing to draw")
        from pairlens.charts.drawing import wide

        figure = self.figures[0]
        return wide(figure.draw(self.table(figure.table).frame))

    def _names(self) -> list[str]:
        """What `__getattr__` answers to."""
        values = (name for headline in self.headlines for name in self._values(headline))
        return [*dict.fromkeys((*values, *(table.name for table in self.tables)))]

    @staticmethod
    def _values(headline: Headline) -> dict[str, float | str]:
        return {headline.name: headline.value, **headline.more}
