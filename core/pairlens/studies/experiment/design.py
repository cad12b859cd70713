"""A table as the sentences of an experiment, and what is excluded from it and why.

Nothing is lost silently and no single bad row stops the rest. A row is **excluded** if it has no sentence, no sentid,
or the sentid of an earlier row (identical rows are one sentence; of different ones the first keeps the sentid), if
it repeats a sentence of its item in the same conditions (a row per participant), or if it is neither expected nor
unexpected. It **stays but is listed** if its ROI is missing, or neither a list of positions nor a word that occurs
once in the sentence (then `roi` is empty: it has words but no region), or if it is in no complete pair.

Where more than half of the sentences contain `|`, bars separate regions: they are removed, `bars` holds the regions,
and ROI counts regions between bars, from 0, not words (`bar` in the word table). Sentences without bars are then
excluded. Elsewhere `|` is a character like any other.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from string import whitespace
from typing import Any

import pandas as pd

from pairlens.analysis.by_pair import broken_pairs, whole_pairs
from pairlens.analysis.experiment import EXPECTED, UNEXPECTED, Columns
from pairlens.errors import InputError
from pairlens.files.tables import row_numbers
from pairlens.studies.experiment.columns import in_roles, table_of_lines
from pairlens.tasks._pair_columns import group_name
from pairlens.tasks.pairs import pair
from pairlens.text.words import is_mark, word_spans
from pairlens.types import Item, Span

EXCLUDED = ["row", "sentid", "pairid", "reason"]
_POSITION = r"\d{1,6}(\.0)?"
"""Also 3.0, as programs write whole numbers in a column with gaps."""
_POSITIONS = re.compile(rf"{_POSITION}(\s*,\s*{_POSITION})*")
_CHUNK = re.compile(r"[^\W_]_[^\W_]")
Positions = tuple[int, ...]


@dataclass(frozen=True)
class Design:
    """The sentences of an experiment (`pairlens.analysis.experiment`), and what is excluded from it or from its
    pairs.

    `columns` gives the roles, with the conditions as `sentences` names them. `excluded`: `row` (in the file:
    `pairlens.files.tables.row_numbers`; the line of typed text; 0 if none), `sentid`, `pairid` (empty if none) and
    `reason`. `header` are the table's own columns, in its order.
    """

    sentences: pd.DataFrame
    columns: Columns
    excluded: pd.DataFrame
    header: tuple[str, ...] = ()

    @property
    def factors(self) -> list[str]:
        """The columns that a design crosses: its conditions and, if sentences have one, the comparison."""
        return [*self.columns.conditions, *(["comparison"] if "comparison" in self.sentences else [])]

    @property
    def has_region(self) -> bool:
        return "roi" in self.sentences and bool(self.sentences["roi"].notna().any())

    @property
    def has_bars(self) -> bool:
        return "bars" in self.sentences and bool(self.sentences["bars"].notna().any())

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The complete pairs, a row each: `pairid`, the conditions, the sentences `expected` and `unexpected`."""
        return whole_pairs(self.sentences, self.columns.conditions)

    def items(self) -> list[Item]:
        """The complete pairs as items by condition; those of one item share the contrast that data name."""
        conditions, sides = self.columns.conditions, self.columns.sides
        named = {"item", "pairid"} <= set(self.sentences)
        of_pairs = dict(zip(self.sentences["pairid"], self.sentences["item"], strict=True)) if named else {}
        items = []
        for row in self.pairs.to_dict("records"):
            cell = f" ({', '.join(row[name] for name in conditions)})" if conditions else ""
            groups = {group_name(name): row[name] for name in conditions}
            item = pair(row["pairid"] + cell, row[EXPECTED], row[UNEXPECTED], groups, sides)
            of_item = {group_name("contrast"): of_pairs[row["pairid"]]} if named else {}
            items.append(replace(item, groups={**item.groups, **of_item}))
        return items

    @property
    def n_left_out(self) -> int:
        """Rows of the file with something excluded or listed."""
        return int(self.excluded.loc[self.excluded["row"] > 0, "row"].nunique())

    def marked(self, region: Region) -> Design:
        """This design with a region chosen by hand in place of its own."""
        if region.by == COLUMN:
            return self
        gone = ["roi_written", "bars"] if region.by in (WORDS, NAMED) else ["roi_written"]
        sentences = self.sentences.drop(columns=gone, errors="ignore")
        if region.by == NAMED:
            words = _in_sentences(region.named, sentences)
            absent = f"none of the words '{region.named}' stands in it once"
            listed = [self.excluded, _listed(sentences.assign(row=0), words.map(lambda word: "" if word else absent))]
            roi = words.map(lambda word: word or ())  # never a position, also where the word is a number
            return replace(self, sentences=sentences.assign(roi=roi, roi_written=words), excluded=_joined(listed))
        sides = sentences.get("comparison", pd.Series("", sentences.index))
        places = [(region.unexpected if side == UNEXPECTED else region.expected) or None for side in sides]
        return replace(self, sentences=sentences.assign(roi=pd.Series(places, sentences.index, dtype=object)))

    def without(self, reasons: Mapping[str, str]) -> Design:
        """This design without the sentences that have a reason here, by sentid; they are listed with it."""
        gone = self.sentences["sentid"].map(reasons).fillna("").astype("str")
        listed = [self.excluded, _listed(self.sentences.assign(row=0), gone)]
        return replace(self, sentences=self.sentences[gone == ""].reset_index(drop=True), excluded=_joined(listed))


def read_design(table: pd.DataFrame, columns: Columns, source: str = "the table") -> Design:
    """The sentences of a table whose columns play these roles; `source` names it in messages.

    Roles are optional if their column has the usual name; sentences without sentids are numbered from 1. Without a
    column of sentences, `columns.expected` and `columns.unexpected` name two columns of texts, and each row becomes
    two sentences that share its other cells, with its number as `pairid` unless a column has that role.

    Raises InputError if a named column is missing, if the comparison column is never expected or never unexpected,
    and if no sentence is left.
    """
    return _design(table.rename(columns=str).set_axis(list(row_numbers(table))), columns, source)


def typed_design(lines: Sequence[str]) -> Design:
    """The sentences of typed or pasted lines (`pairlens.studies.experiment.columns`), with `|` as in tables."""
    return _design(*table_of_lines(lines), "the text")


def design_of(texts: Sequence[str]) -> Design:
    """Texts alone, numbered from 1; bars are characters like any other."""
    return _unpaired([str(number) for number in range(1, len(texts) + 1)], texts)


def _unpaired(sentids: Sequence[str], texts: Sequence[str]) -> Design:
    table = pd.DataFrame({"sentid": sentids, "sentence": texts}, dtype="str")
    return Design(table, Columns(), pd.DataFrame(columns=EXCLUDED))


def design_of_tokens(predictions: pd.DataFrame) -> Design:
    """The sentences of a per-token table (`pairlens.studies.experiment.evaluate`): without pairs and conditions."""
    first = predictions["model"].where(~predictions["sentid"].duplicated()).groupby(predictions["sentid"])
    words = predictions[predictions["model"] == first.transform("first")].drop_duplicates(["sentid", "wordpos"])
    gap = "" if words["word"].str.match(r"\s").any() else " "
    texts = words.groupby("sentid", sort=False)["word"].agg(gap.join)
    return _unpaired(list(texts.index), list(texts))


def _design(table: pd.DataFrame, columns: Columns, source: str) -> Design:
    """`table` has the numbers of its rows as its index."""
    if table.empty:
        raise InputError("there is no sentence below the column names.", source)
    header = tuple(table.columns)
    requested, (rows, columns) = columns, in_roles(table, columns, source)
    if columns.chunks:
        rows["sentence"] = [with_bars(sentence, columns.chunks) for sentence in rows["sentence"]]
    listed = []
    for exclude in (_incomplete, _repeated, partial(_asked_again, columns), _barless):
        reasons = pd.Series("", index=rows.index, dtype="str")
        exclude(rows, reasons)  # says there why a row is excluded
        listed.append(_listed(rows, reasons))
        rows = rows[reasons == ""]
    if rows.empty:
        first = _joined(listed).iloc[0]
        raise InputError(f"no sentence can be used (row {first['row']}: {first['reason']}).", source)
    derived = columns.item and columns.pairid == columns.item != requested.pairid
    if derived and broken_pairs(rows, columns.conditions).ne("").all():
        rows, columns = rows.drop(columns="pairid"), replace(columns, pairid="")
    rows, reasons = _with_regions(rows.reset_index(drop=True))
    listed += [_listed(rows, reasons), _listed(rows, broken_pairs(rows, columns.conditions))]
    return Design(rows.drop(columns=["row", "said"], errors="ignore"), columns, _joined(listed), header)


def _listed(rows: pd.DataFrame, reasons: pd.Series) -> pd.DataFrame:
    why = reasons[reasons != ""]
    return rows.loc[why.index].assign(reason=why).reindex(columns=EXCLUDED).fillna({"pairid": ""})


def _joined(listed: list[pd.DataFrame]) -> pd.DataFrame:
    types = {name: "int64" if name == "row" else "str" for name in EXCLUDED}
    return pd.concat(listed).astype(types).sort_values("row", kind="stable", ignore_index=True)


def _incomplete(rows: pd.DataFrame, reasons: pd.Series) -> None:
    if "comparison" in rows:
        neither = rows["comparison"].isna()
        reasons[neither] = "the comparison '" + rows["said"] + "' is neither expected nor unexpected"
        reasons[neither & (rows["said"] == "")] = "no comparison: neither expected nor unexpected"
    reasons[rows["sentid"] == ""] = "no sentid"
    reasons[rows["sentence"].str.strip(f"{BAR}{whitespace}") == ""] = "no sentence"


def _repeated(rows: pd.DataFrame, reasons: pd.Series) -> None:
    again = rows[rows["sentid"].duplicated()].fillna("")
    firsts = rows.fillna("").drop_duplicates("sentid").set_index("sentid", drop=False).loc[again["sentid"]]
    firsts = firsts.set_axis(again.index)
    same = again.drop(columns="row") == firsts.drop(columns="row")
    which = same["sentence"].map({True: "the same sentence in row ", False: "another sentence, in row "})
    other = "sentid " + again["sentid"] + " is already that of " + which.astype("str")
    reasons[again.index] = other.where(~same.all(axis=1), "the same as row ") + firsts["row"].astype("str")


def _asked_again(columns: Columns, rows: pd.DataFrame, reasons: pd.Series) -> None:
    """A row repeats a sentence of its item in the same conditions, as a row per answer does."""
    unit = [name for name in ("item", "pairid") if name in rows]
    if unit and not columns.sentid:
        sides = rows.columns.intersection(["comparison"])
        alike = rows.groupby([*unit, "sentence", *sides, *columns.conditions], dropna=False)
        again = alike.cumcount() > 0
        reasons[again] = "the same sentence as in row " + alike["row"].transform("first")[again].astype("str")


def _barless(rows: pd.DataFrame, reasons: pd.Series) -> None:
    barred = rows["sentence"].str.contains(BAR, regex=False)
    if barred.mean() > 0.5:
        reasons[~barred] = "no | in the sentence, while the others have regions between bars"


def _with_regions(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """The rows with `bars` removed from their sentences and `roi` parsed, and why a row has no valid ROI."""
    reasons = pd.Series("", index=rows.index, dtype="str")
    if rows["sentence"].str.contains(BAR, regex=False).all():
        texts, spans = zip(*map(part_at_bars, rows["sentence"]), strict=True)
        rows = rows.assign(sentence=pd.Series(texts, rows.index, "str"), bars=pd.Series(spans, rows.index))
    if "roi" not in rows or not rows["roi"].any():
        return rows.drop(columns="roi", errors="ignore"), reasons
    known = {cell: positions(cell) for cell in rows["roi"].unique()}
    named = pd.Series([known[row["roi"]] or _named_region(row) for row in rows.to_dict("records")], rows.index)
    neither = "' is neither positions such as 3,4 (the first is 0) nor a word that occurs once in it"
    reasons[named.map(lambda roi: roi == ())] = "ROI '" + rows["roi"] + neither
    reasons[rows["roi"] == ""] = "no ROI given"
    return rows.assign(roi=named, roi_written=rows["roi"]), reasons


def _in_sentences(named: str, sentences: pd.DataFrame) -> pd.Series:
    """For each sentence the first of the words, between slashes, that it has once; empty for one that has none."""
    alternatives = [word.strip() for word in named.split("/")]
    words = [[text[start:end] for start, end in word_spans(text)] for text in sentences["sentence"]]
    first = [next((word for word in alternatives if places_of(word, sentence)), "") for sentence in words]
    return pd.Series(first, sentences.index, dtype=object)


def _named_region(row: Mapping[Hashable, Any]) -> tuple[int, ...] | str:
    """The region between bars that a cell names, or the cell if it names a word of the sentence once, else none."""
    cell, sentence, bars = row["roi"], row["sentence"], row.get("bars")
    places = places_of(cell, [sentence[start:end] for start, end in bars or word_spans(sentence)])
    return places if bars or not places else cell


COLUMN, BARS, WORDS, NAMED, WHOLE = "column", "bars", "words", "named", "sentence"
BAR = "|"


@dataclass(frozen=True, slots=True)
class Region:
    """The region of each sentence that is analysed.

    `by` is `column` (as in the design), `bars` (`expected` and `unexpected` count regions between bars), `words`
    (they count words), `named` (the first of these words, between slashes, that a sentence has once) or `sentence`
    (all of it). Places count from 0. `expected` also applies to unpaired sentences.
    """

    by: str = COLUMN
    expected: Positions = ()
    unexpected: Positions = ()
    named: str = ""


def parts(sentence: Mapping[Hashable, object], punctuation: str) -> list[Span]:
    """The spans that the positions of a sentence's region count: between its bars, else its words."""
    bars = sentence.get("bars")
    return list(bars) if isinstance(bars, tuple) else word_spans(str(sentence["sentence"]), punctuation)


def shares(sentences: pd.DataFrame, spill: int = 0) -> pd.DataFrame:
    """The share of sentences (0 to 1) whose region has each position: position, region (`ROI`, `ROI+1`), share."""
    regions = [roi for roi in sentences.get("roi", ()) if isinstance(roi, tuple) and roi]
    counted = [(place, "ROI") for roi in regions for place in set(roi)]
    counted += [(max(roi) + after, f"ROI+{after}") for roi in regions for after in range(1, spill + 1)]
    counts = pd.DataFrame(counted, columns=["position", "region"]).value_counts(sort=False).reset_index()
    return counts.assign(share=counts["count"] / max(len(sentences), 1)).drop(columns="count")


def has_chunks(sentence: str) -> bool:
    """Whether words are joined by `_`, as Ibex joins those that are shown together."""
    return bool(_CHUNK.search(sentence))


def with_bars(sentence: str, joint: str) -> str:
    """A sentence whose words are joined into chunks, with bars between these.

    >>> with_bars("The_key is_here now.", "_")
    'The key | is here | now.'
    """
    return f" {BAR} ".join(chunk.replace(joint, " ") for chunk in sentence.split())


def part_at_bars(sentence: str) -> tuple[str, tuple[Span, ...]]:
    """The sentence without its bars, and the span of each region between them.

    White space on either side of a bar becomes one space; without any, the regions are joined. A region may be empty:
    it still counts, so that the regions of two sentences have the same numbers.

    >>> part_at_bars("The key |to the cabinets| is here.")
    ('The key to the cabinets is here.', ((0, 7), (8, 23), (24, 32)))
    """
    text, spans, spaced = "", [], False
    for part in sentence.split(BAR):
        region = part.strip()
        if region and text and (spaced or part[0].isspace()):
            text += " "
        spans.append((len(text), len(text) + len(region)))
        text += region
        spaced = part[-1:].isspace() or (spaced and not region)
    return text, tuple(spans)


def positions(cell: str) -> tuple[int, ...] | None:
    """The distinct positions in a cell such as `3,4`, in order; None if it holds anything else.

    >>> positions("4, 3"), positions("three")
    ((3, 4), None)
    """
    cell = cell.strip().removeprefix("[").removesuffix("]").strip()
    return tuple(sorted({int(float(one)) for one in cell.split(",")})) if _POSITIONS.fullmatch(cell) else None


def places_of(cell: str, words: Sequence[str]) -> tuple[int, ...]:
    """The places of the words that a cell names, if they occur once, else none; neither capitals nor marks around
    words matter.

    >>> places_of("was", ["The", "key", "was,", "rusty."]), places_of("the", ["The", "key", "to", "the", "door"])
    ((2,), ())
    """
    hits = list(_hits(_bare(cell), [_bare(word) for word in words]))
    return hits[0] if len(hits) == 1 else ()


def _hits(wanted: str, words: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """The runs of words whose letters are those that are wanted."""
    for first, word in enumerate(words):
        text, last = word, first
        while word and len(text) < len(wanted) and last + 1 < len(words):
            last += 1
            text += words[last]
        if wanted and text == wanted:
            yield tuple(range(first, last + 1))


def _bare(text: str) -> str:
    """In lower case, without white space and the marks around each word."""
    marks = "".join(filter(is_mark, set(text)))
    return "".join(word.strip(marks) for word in text.casefold().split())
