"""Stimuli as tables, made once for all checks; a check of them, and what comes out of it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, partial
from itertools import compress, count
from operator import ne
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from pairlens.files.row_mistakes import RowMistakes
from pairlens.messages import counted as plural
from pairlens.studies.experiment.design import Design
from pairlens.types import Item

SEVERITIES = ("error", "warning", "note")
"""An error makes numbers wrong, a warning offers another explanation of them, a note is good to know."""
KEPT = 200
"""Findings kept per check; all are counted."""
COLUMNS = {"item": "str", "row": "Int64", "what": "str", "texts": "str"}
_NOTHING = pd.DataFrame(columns=[*COLUMNS]).astype(COLUMNS)
_IN_SINGULAR = {"are": "is", "have": "has", "were": "was"}
_TEXTS = ("text", "right", "wrong")
PARADIGM = "UID"
"""The group that names the paradigm of an item."""
MADE_HERE = frozenset({"contrast"})
"""Groups that no file contains: tasks derive them from the texts."""
_JOINT = "\0"
_MARKS = re.compile(r"^[^\w]+|[^\w]+$")


class TokenCounter(NamedTuple):
    """`tokens` returns the number of tokens of a text, without special ones.

    `window` is the most tokens of a text that the model sees at once, special ones aside; None without a limit.
    `whole_words`: its tokens are the words between white space.
    """

    tokens: Callable[[str], int]
    window: int | None
    whole_words: bool


@dataclass(frozen=True)
class Stimuli:
    """The items, and what else is known about them.

    `counter` is None without a model. `design` is the experiment the items come from, if any; its items have no
    `row`. `source` is the file or folder they were read from, if known, `rows` the row of each there, `mistakes` what
    is wrong with other rows.
    """

    items: Sequence[Item]
    counter: TokenCounter | None = None
    design: Design | None = None
    source: Path | None = None
    rows: Sequence[int | None] | None = None
    mistakes: RowMistakes | None = None

    @cached_property
    def noun(self) -> str:
        return "pair" if all(len(item.candidates) == 2 and item.gold for item in self.items) else "item"

    @cached_property
    def places(self) -> pd.DataFrame:
        """One row per item: `item`, `row` (else its place in reading order) and `section`, its file or paradigm."""
        rows: Sequence[int | None] = [None] * len(self.items) if self.design else range(1, len(self.items) + 1)
        if self.rows is not None:
            rows = self.rows
        paradigms = pd.Series([item.groups.get(PARADIGM, "") for item in self.items], dtype="str")
        names, section = pd.Series([item.id for item in self.items], dtype="str"), paradigms
        if self._numbered_by_stem:
            section = self._stems
        return pd.DataFrame({"item": names, "row": pd.array(rows, dtype="Int64"), "section": section})

    @cached_property
    def several_files(self) -> bool:
        """Whether the items are numbered by file, as in `passive_1_324`, and there are several."""
        return self._numbered_by_stem and bool(self._stems.str.contains(r"[^\W\d_]").all())

    @property
    def _numbered_by_stem(self) -> bool:
        return 1 < self._stems.nunique() < len(self.items)

    @cached_property
    def _stems(self) -> pd.Series:
        return pd.Series([item.id for item in self.items], dtype="str").str.replace(r"_\d+$", "", regex=True)

    @cached_property
    def all_texts(self) -> list[str]:
        """The texts of all candidates: a list, since a column of strings is slow to go through one by one."""
        return [candidate.context + candidate.text for item in self.items for candidate in item.candidates]

    @cached_property
    def texts(self) -> pd.DataFrame:
        """One row per candidate: `item`, `row`, `section`, `label` and `text` (context and text).

        The index is the place of its item, here and in the tables below.
        """
        owners = [place for place, item in enumerate(self.items) for _ in item.candidates]
        labels = [candidate.label for item in self.items for candidate in item.candidates]
        return self.places.iloc[owners].assign(
            label=pd.Series(labels, owners, "str"), text=pd.Series(self.all_texts, owners, "str")
        )

    @cached_property
    def _sides(self) -> tuple[pd.Series, pd.DataFrame]:
        """The right text of each item that has one, and the rows of all texts that are not right."""
        is_right = [candidate.label == item.gold for item in self.items for candidate in item.candidates]
        rights = self.texts.loc[is_right, "text"]
        return rights[~rights.index.duplicated()].rename("right"), self.texts[[not right for right in is_right]]

    @cached_property
    def contents(self) -> pd.DataFrame:
        """The places of the items, with `texts` (what is compared), `right` (the right text, or empty) and `text`.

        `texts` keeps their order only where no text is right, since each then has a role of its own. Items with the
        same text twice are not included: another check reports them.
        """
        by_item = [[candidate.context + candidate.text for candidate in item.candidates] for item in self.items]
        rights = self._sides[0].reindex(self.places.index, fill_value="")
        ordered = [sorted(texts) if right else texts for texts, right in zip(by_item, rights, strict=True)]
        table = self.places.assign(
            texts=pd.Series(map(_JOINT.join, ordered), dtype="str"),
            right=rights,
            text=pd.Series(map(" | ".join, by_item), dtype="str"),
        )
        return table[[len(set(texts)) == len(texts) for texts in by_item]]

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row per right and wrong text of an item: `item`, `row`, `section`, `right`, `wrong`.

        Items without a right candidate have no row.
        """
        rights, others = self._sides
        return (
            others.drop(columns="label")
            .rename(columns={"text": "wrong"})
            .join(rights, how="inner")
            .reset_index(drop=True)
        )

    @cached_property
    def edits(self) -> pd.DataFrame:
        """The pairs that are not identical, with `edits`: the stretches of words that differ, right and wrong."""
        pairs = self.pairs[self.pairs["right"] != self.pairs["wrong"]]
        stretches = [edits(*texts) for texts in zip(pairs["right"].tolist(), pairs["wrong"].tolist(), strict=True)]
        return pairs.assign(edits=pd.Series(stretches, pairs.index, "object"))

    @cached_property
    def critical(self) -> pd.DataFrame:
        """The pairs that differ in one word only, with `old` (the right word) and `new`, in lower case."""
        single = [
            [_MARKS.sub("", word).lower() for word in stretches[0]] if len(stretches) == 1 else ["", ""]
            for stretches in self.edits["edits"]
        ]
        words = pd.DataFrame(single, self.edits.index, ["old", "new"], "str")
        one_word = (words != "").all(axis=1) & ~words.apply(lambda word: word.str.contains(" ")).any(axis=1)
        pairs: pd.DataFrame = self.edits[one_word & (words["old"] != words["new"])].join(words)
        return pairs


Edits = list[tuple[str, str]]
_MOST = 1_000_000
"""So many comparisons of two words: their number grows with the square of the texts."""


def edits(first: str, second: str) -> Edits:
    """The stretches of words (between white space) that differ, as they are in each text; one may be empty.

    Of texts with thousands of words, one stretch from the first word that differs to the last.

    >>> edits("She has left.", "She have left.")
    [('has', 'have')]
    """
    words, others = first.split(), second.split()
    start = _shared(words, others)
    words, others = words[start:], others[start:]
    end = _shared(words[::-1], others[::-1])
    words, others = words[: len(words) - end], others[: len(others) - end]
    if not words and not others:
        return []
    if len(words) * len(others) > _MOST or set(words).isdisjoint(others):
        return [(" ".join(words), " ".join(others))]
    codes = SequenceMatcher(None, words, others, autojunk=False).get_opcodes()
    return [(" ".join(words[a:b]), " ".join(others[c:d])) for code, a, b, c, d in codes if code != "equal"]


def _shared(words: Sequence[str], others: Sequence[str]) -> int:
    return next(compress(count(), map(ne, words, others)), min(len(words), len(others)))


class Outcome(NamedTuple):
    """The findings of a check: `n` of `of` things, a sentence without its full stop, and where.

    `table` has the first `KEPT` findings (COLUMNS): `item` is empty and `row` missing where a finding concerns the
    set as a whole. A check that looked `of` nothing is not in a report.
    """

    table: pd.DataFrame
    n: int
    of: int
    sentence: str

    @property
    def share(self) -> float:
        return self.n / self.of if self.of else 0.0


Find = Callable[[Stimuli], Outcome | None]
"""What a check does; None where it does not apply."""
Describe = Callable[[str], str]
"""What is wrong with a text; empty if nothing is."""


class Check(NamedTuple):
    """What a report says of a check; `meaning` says in one sentence what a finding means for the results."""

    name: str
    title: str
    severity: str
    meaning: str


class Search(NamedTuple):
    """A check, and the function that makes it, which no other process can be handed."""

    check: Check
    find: Find


def check(severity: str, title: str) -> Callable[[Find], Search]:
    """Make a check of a function: it has its name, and its docstring is the meaning."""
    return lambda find: Search(Check(find.__name__, title, severity, str(find.__doc__)), find)


def check_of_texts(severity: str, title: str, predicate: str) -> Callable[[Describe], Search]:
    """Make a check of a function that says what is wrong with a single text: see `about_texts`."""

    def decorated(describe: Describe) -> Search:
        find = partial(about_texts, describe=describe, predicate=predicate)
        return Search(Check(describe.__name__, title, severity, str(describe.__doc__)), find)

    return decorated


def about_texts(stimuli: Stimuli, describe: Describe, predicate: str) -> Outcome:
    """Findings about single texts: those that `describe` has something to say about."""
    return about_items(stimuli.texts.assign(what=[*map(describe, stimuli.all_texts)]), "text", predicate)


def about_items(rows: pd.DataFrame, noun: str, predicate: str, of: int | None = None) -> Outcome:
    """Findings about items, one in each row that says `what` is wrong; the others are empty there.

    `rows` has `item`, `row` and the texts concerned, in columns text, right, wrong. The sentence is `counted(...)`,
    by default of all rows.
    """
    wrong, of = (rows["what"] != "").to_numpy(bool), len(rows) if of is None else of
    if not wrong.any():
        return Outcome(_NOTHING, 0, of, counted(0, of, noun, predicate))
    hits = rows[wrong]
    first = hits.head(KEPT)
    texts = [name for name in _TEXTS if name in first]
    shown = [" | ".join(each) for each in zip(*(first[name] for name in texts), strict=True)] if texts else ""
    table = first[["item", "row", "what"]].assign(texts=shown).astype(COLUMNS).reset_index(drop=True)
    return Outcome(table, len(hits), of, counted(len(hits), of, noun, predicate))


def about_all(whats: Sequence[str], of: int, sentence: str) -> Outcome:
    """Findings about the set as a whole, one sentence each."""
    table = pd.DataFrame({"item": "", "row": None, "what": list(whats[:KEPT]), "texts": ""}, columns=[*COLUMNS])
    return Outcome(table.astype(COLUMNS), len(whats), of, sentence)


def counted(n: int, of: int, noun: str, predicate: str) -> str:
    """`1 of 2,000 pairs is identical`; the predicate begins with its verb in the plural."""
    verb, _, rest = predicate.partition(" ")
    return f"{n:,} of {plural(of, noun)} {_IN_SINGULAR.get(verb, verb + 's') if n == 1 else verb} {rest}"


def per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"
