"""Checks of items and their labels, and of experiments: their conditions, regions and unused rows."""

import re
import unicodedata
from pathlib import Path

import pandas as pd

from core.analysis.by_pair import broken_pairs
from core.errors import InputError
from core.files.tables import ending, files, read_records
from core.messages import counted as plural
from core.studies.experiment.design import parts
from core.studies.lint.check import (
    COLUMNS,
    KEPT,
    MADE_HERE,
    PARADIGM,
    Outcome,
    Stimuli,
    about_all,
    about_items,
    check,
    counted,
)
from core.types import Item


@check("error", "Rows that cannot be read")
def unreadable(stimuli: Stimuli) -> Outcome | None:
    """They are left out of these findings. Nothing can be scored until they are corrected."""
    # Does not apply to stimuli that were not read from a file here.
    mistakes = stimuli.mistakes
    if mistakes is None:
        return None
    table = pd.DataFrame(mistakes.kept[:KEPT], columns=["row", "what"]).assign(item="", texts="")
    read = len(stimuli.design.sentences) if stimuli.design else len(stimuli.items)
    noun = "sentence" if stimuli.design else stimuli.noun
    sentence = f"{plural(mistakes.n, 'row')} cannot be read; {plural(read, noun)} can"
    table = table[[*COLUMNS]].astype(COLUMNS).sort_values("row", kind="stable", ignore_index=True)
    return Outcome(table, mistakes.n, read + mistakes.n, sentence)


@check("error", "Identical texts")
def identical_texts(stimuli: Stimuli) -> Outcome:
    """Identical texts have identical scores, so the pair is always a tie."""
    # Among all candidates of an item.
    texts = stimuli.texts
    owners = pd.Series(texts.index, texts.index)
    same = texts.assign(owner=owners)[pd.DataFrame({"owner": owners, "text": texts["text"]}).duplicated().to_numpy()]
    pairs = stimuli.noun == "pair"
    predicate = "are identical and can only tie" if pairs else "have two identical texts, whose scores are equal"
    rows = same.drop_duplicates("owner")
    return about_items(rows, len(stimuli.items), stimuli.noun, predicate, lambda _: "the same text twice")


@check("warning", "Duplicate items")
def duplicates(stimuli: Stimuli) -> Outcome:
    """An item that occurs twice counts twice, and intervals become too narrow."""
    items = stimuli.contents
    firsts = items.groupby(["texts", "right"], sort=False)["item"].transform("first")
    rows = items.drop(columns="right").assign(first=firsts)[items.duplicated(["texts", "right"])]
    predicate = "repeat an earlier one word for word"
    return about_items(rows, len(stimuli.items), stimuli.noun, predicate, lambda row: f"the same as {row.first}")


@check("error", "Contradicting items")
def contradictions(stimuli: Stimuli) -> Outcome | None:
    """Whatever a model prefers, it is right in one of the two items and wrong in the other."""
    items = stimuli.contents
    items = items[(items["right"] != "").to_numpy()]
    if items.empty:
        return None
    repeated = items[items.duplicated("texts", keep=False)]
    rows = repeated[repeated.groupby("texts")["right"].transform("nunique") > 1].drop(columns="right")
    predicate = "have the same texts as another one, with right and wrong exchanged"
    return about_items(rows, len(items), stimuli.noun, predicate, lambda _: "right and wrong are exchanged elsewhere")


@check("warning", "No right answer")
def right_answers(stimuli: Stimuli) -> Outcome | None:
    """An item without exactly one right text among several is left out of the accuracy."""
    # Does not apply to sets in which no item has a right answer, such as reading times.
    if not any(item.gold for item in stimuli.items):
        return None
    wrong = pd.Series([_wrong_answer(item) for item in stimuli.items], dtype="str")
    rows, predicate = stimuli.places.assign(wrong=wrong)[wrong != ""], "have not exactly one right text"
    return about_items(rows, len(stimuli.items), stimuli.noun, predicate, lambda row: str(row.wrong))


def _wrong_answer(item: Item) -> str:
    """What is wrong, if anything; a design may have single sentences, which need no right answer."""
    if item.gold is None:
        return "no candidate is marked as right" if len(item.candidates) > 1 else ""
    labels = [candidate.label for candidate in item.candidates]
    if (n := labels.count(item.gold)) != 1:
        return f"{n or 'none'} of the candidates {', '.join(labels)} {'are' if n > 1 else 'is'} '{item.gold}'"
    return "there is only one candidate" if len(labels) < 2 else ""


_NO_VALUE = ("", "nan", "None", "NA", "<NA>")


@check("note", "Missing values")
def missing_fields(stimuli: Stimuli) -> Outcome | None:
    """Items without a value belong to no group of that column."""
    # A field that no item of a section (a file, a paradigm) has is not missing there.
    groups = pd.DataFrame([dict(item.groups) for item in stimuli.items]).drop(columns=[*MADE_HERE], errors="ignore")
    if not len(groups.columns):
        return None
    lacking = groups.isna() | groups.isin(_NO_VALUE)
    expected = ~lacking.groupby(stimuli.places["section"]).transform("all") if len(lacking) else ~lacking
    missing = lacking & expected
    rows = stimuli.places[missing.any(axis=1)]
    rows = rows.assign(fields=[", ".join(missing.columns[cells]) for cells in missing.loc[rows.index].to_numpy()])
    predicate = "lack a value that others of their kind have"
    return about_items(rows, len(groups), stimuli.noun, predicate, lambda row: f"no value in {row.fields}")


_MOST_VALUES = 100
"""A group with more distinct values is a text or a number, not a label."""
_LONGEST = 60
_RECORDS = ".jsonl"
_SEPARATORS = re.compile(r"[\s_/\\.,;:&]+|(?<=\w)-(?=\w)")
"""A hyphen separates only between letters or digits: in -attractor it is a sign."""


@check("warning", "Inconsistent labels")
def label_variants(stimuli: Stimuli) -> Outcome | None:
    """Items of one group count as two groups, unless the reader treats the spellings as one."""
    # In the items, and in the records they were read from, since a task may merge several spellings.
    groups = pd.DataFrame([dict(item.groups) for item in stimuli.items])
    whats, n_labels = _spellings(groups, stimuli.noun)
    if stimuli.source:
        written, n_written = _spellings(_records(stimuli.source), stimuli.noun)
        whats += [f"{what}, which are read as one" for what in written if what not in whats]
        n_labels = max(n_labels, n_written)
    if not n_labels:
        return None
    return about_all(whats, n_labels, counted(len(whats), n_labels, "label", "are written in several ways"))


def _spellings(groups: pd.DataFrame, noun: str) -> tuple[list[str], int]:
    """A sentence for each label that has several spellings, and how many labels there are."""
    columns = [name for name in groups if name not in MADE_HERE and _is_label(groups[name])]
    whats = [what for name in columns for what in _variants(groups[name], groups.get(PARADIGM), noun)]
    return whats, sum(len(set(map(_folded, groups[name].dropna().unique()))) for name in columns)


def _records(source: Path) -> pd.DataFrame:
    """The texts in the fields of JSON lines, unchanged; tasks do not change labels of other formats."""
    if source.is_file() and ending(source) != _RECORDS:
        return pd.DataFrame()
    try:
        records = [record for file in files(source, (_RECORDS,)) for _, record in read_records(file)]
    except InputError:  # a folder of files in another format
        return pd.DataFrame()
    return pd.DataFrame(
        [{name: value for name, value in record.items() if isinstance(value, str)} for record in records]
    )


def _is_label(column: pd.Series) -> bool:
    values = column.dropna().unique()
    return 1 < len(values) <= min(_MOST_VALUES, len(column) / 2) and max(map(len, values)) <= _LONGEST


def _variants(column: pd.Series, sections: pd.Series | None, noun: str) -> list[str]:
    """A sentence for each label of a column that has several spellings, the commonest first."""
    counts = column.value_counts()
    spellings: dict[str, list[str]] = {}
    for value in counts.index:
        if any(map(str.isalpha, value)):  # numbers such as -1 and 1 are no variants of each other
            spellings.setdefault(_folded(value), []).append(value)
    per_value = None
    if sections is not None and column.name != PARADIGM and sections.nunique() > 1:
        per_value = sections.groupby(column).nunique()
    sentences = []
    for values in (values for values in spellings.values() if len(values) > 1):
        numbers = [
            plural(counts[value], noun)
            + (f" in {plural(per_value[value], 'paradigm')}" if per_value is not None else "")
            for value in values
        ]
        shown = [f"'{value}' ({number})" for value, number in zip(values, numbers, strict=True)]
        sentences.append(f"{column.name} {' and '.join(shown)}")
    return sentences


def _folded(label: str) -> str:
    """The label without case, accents and surrounding white space, its separators alike."""
    letters = unicodedata.normalize("NFKD", label.casefold())
    bare = "".join(character for character in letters if not unicodedata.combining(character))
    return _SEPARATORS.sub(" ", bare).strip()


@check("warning", "Unbalanced conditions")
def cells(stimuli: Stimuli) -> Outcome | None:
    """Means over different items differ because of the items, too."""
    if stimuli.design is None:
        return None
    factors = stimuli.design.factors
    counts = _counts(stimuli.design.sentences, factors)
    if len(counts) < 2:
        return None
    most = counts.max()
    short = counts[counts < most]
    whats = [f"{_named(factors, cell)} has {count:,}" for cell, count in short.items()]
    predicate = f"have fewer than the {plural(int(most), 'sentence')} of the fullest one"
    return about_all(whats, len(counts), counted(len(short), len(counts), "condition", predicate))


def _counts(sentences: pd.DataFrame, factors: list[str]) -> pd.Series:
    """Sentences by combination of the factors' values; 0 for one that never occurs."""
    if not factors:
        return pd.Series(dtype="int64")
    counts = sentences.groupby(factors, sort=False).size()
    if len(factors) == 1:
        counts.index = pd.MultiIndex.from_arrays([counts.index])
    every = pd.MultiIndex.from_product([sentences[name].unique() for name in factors])
    return counts.reindex(every, fill_value=0)


def _named(factors: list[str], cell: object) -> str:
    values = cell if isinstance(cell, tuple) else (cell,)
    return ", ".join(f"{name} {value}" for name, value in zip(factors, values, strict=True))


@check("warning", "Unused rows")
def left_out(stimuli: Stimuli) -> Outcome | None:
    """The results use fewer sentences than the table has."""
    if stimuli.design is None:
        return None
    reasons = stimuli.design.excluded.groupby(["row", "sentid"], sort=False)["reason"].agg("; ".join).reset_index()
    rows = reasons.assign(item=reasons["sentid"], row=reasons["row"].astype("Int64").replace(0, None))
    predicate = "are left out, or without a partner or a region"
    sentences = stimuli.design.sentences
    listed = (broken_pairs(sentences, stimuli.design.columns.conditions) != "").sum()
    listed += sum(roi == () for roi in sentences.get("roi", ()))
    return about_items(
        rows, (len(sentences) + len(stimuli.design.excluded) - int(listed)), "row", predicate, lambda row: row.reason
    )


@check("error", "Region outside the text")
def regions(stimuli: Stimuli) -> Outcome | None:
    """The region holds no words, so the sentence gets no number for it."""
    if stimuli.design is not None and stimuli.design.has_region:
        rows, of, what = _of_design(stimuli.design.sentences)
    else:
        candidates = [candidate for item in stimuli.items for candidate in item.candidates]
        spans = [(place, name, *span) for place, one in enumerate(candidates) for name, span in one.regions.items()]
        wrong = [
            (place, f"region '{name}' is characters {start} to {end} of {len(candidates[place].text)}")
            for place, name, start, end in spans
            if not 0 <= start < end <= len(candidates[place].text)
        ]
        rows, of, what = stimuli.texts.iloc[[place for place, _ in wrong]], len(spans), [what for _, what in wrong]
    if not of:
        return None
    return about_items(rows.assign(region=what), of, "region", "lie outside the text", lambda row: str(row.region))


def _of_design(sentences: pd.DataFrame) -> tuple[pd.DataFrame, int, list[str]]:
    """The sentences whose ROI counts beyond their last word, or their last region between bars."""
    stated = sentences[[isinstance(roi, tuple) and bool(roi) for roi in sentences["roi"]]]
    lengths = [len(parts({str(name): row[name] for name in row}, "previous")) for row in stated.to_dict("records")]
    outside = [not 0 <= min(roi) <= max(roi) < n for roi, n in zip(stated["roi"], lengths, strict=True)]
    rows = pd.DataFrame({"item": stated["sentid"], "row": None, "text": stated["sentence"]})[outside]
    unit = "regions between bars" if "bars" in sentences else "words"
    what = [
        f"position {max(roi)} (from 0) of {n} {unit}"
        for roi, n, wrong in zip(stated["roi"], lengths, outside, strict=True)
        if wrong
    ]
    return rows, len(stated), what
