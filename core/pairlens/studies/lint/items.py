"""Checks of items and their labels, and of experiments: their conditions, regions and unused rows."""

import re
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd

from pairlens.analysis.by_pair import broken_pairs
from pairlens.errors import InputError
from pairlens.files.tables import ending, files, read_records
from pairlens.messages import counted as plural
from pairlens.studies.experiment.design import parts
from pairlens.studies.lint.check import MADE_HERE, PARADIGM, Outcome, Stimuli, about_all, about_items, check, counted
from pairlens.types import Item


@check("error", "Rows that cannot be read")
def unreadable(stimuli: Stimuli) -> Outcome | None:
    """They are left out of these findings. Nothing can be scored until they are corrected."""
    # Does not apply to stimuli that were not read from a file here.
    mistakes = stimuli.mistakes
    if mistakes is None:
        return None
    rows = pd.DataFrame(mistakes.kept, columns=["row", "what"]).assign(item="")
    read = len(stimuli.design.sentences) if stimuli.design else len(stimuli.items)
    noun = "sentence" if stimuli.design else stimuli.noun
    listed = about_items(rows.sort_values("row", kind="stable"), "row", "cannot be read", read + mistakes.n)
    sentence = f"{plural(mistakes.n, 'row')} cannot be read; {plural(read, noun)} can"
    return listed._replace(n=mistakes.n, sentence=sentence)


@check("error", "Identical texts")
def identical_texts(stimuli: Stimuli) -> Outcome:
    """Identical texts have identical scores, so the pair is always a tie."""
    # Among all candidates of an item.
    texts = stimuli.texts.assign(owner=stimuli.texts.index, what="the same text twice")
    rows = texts[texts.duplicated(["owner", "text"])].drop_duplicates("owner")
    pairs = stimuli.noun == "pair"
    predicate = "are identical and can only tie" if pairs else "have two identical texts, whose scores are equal"
    return about_items(rows, stimuli.noun, predicate, len(stimuli.items))


@check("warning", "Duplicate items")
def duplicates(stimuli: Stimuli) -> Outcome:
    """An item that occurs twice counts twice, and intervals become too narrow."""
    items, key = stimuli.contents, ["texts", "right"]
    first = items.groupby(key, sort=False)["item"].transform("first")
    rows = items.assign(what="the same as " + first)[items.duplicated(key)].drop(columns="right")
    return about_items(rows, stimuli.noun, "repeat an earlier one word for word", len(stimuli.items))


@check("error", "Contradicting items")
def contradictions(stimuli: Stimuli) -> Outcome:
    """Whatever a model prefers, it is right in one of the two items and wrong in the other."""
    items = stimuli.contents
    items = items[(items["right"] != "").to_numpy()]
    exchanged = items.groupby("texts")["right"].transform("nunique") > 1
    rows = items.assign(what=np.where(exchanged, "right and wrong are exchanged elsewhere", "")).drop(columns="right")
    return about_items(rows, stimuli.noun, "have the same texts as another one, with right and wrong exchanged")


@check("warning", "No right answer")
def right_answers(stimuli: Stimuli) -> Outcome | None:
    """An item without exactly one right text among several is left out of the accuracy."""
    # Does not apply to sets in which no item has a right answer, such as reading times.
    if not any(item.gold for item in stimuli.items):
        return None
    rows = stimuli.places.assign(what=[*map(_wrong_answer, stimuli.items)])
    return about_items(rows, stimuli.noun, "have not exactly one right text")


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
    groups = _groups(stimuli).drop(columns=[*MADE_HERE], errors="ignore")
    if groups.empty:
        return None
    lacking = groups.isna() | groups.isin(_NO_VALUE)
    missing = lacking & ~lacking.groupby(stimuli.places["section"]).transform("all")
    fields = (", ".join(missing.columns[cells]) for cells in missing.to_numpy())
    rows = stimuli.places.assign(what=[f"no value in {named}" if named else "" for named in fields])
    return about_items(rows, stimuli.noun, "lack a value that others of their kind have")


def _groups(stimuli: Stimuli) -> pd.DataFrame:
    return pd.DataFrame([dict(item.groups) for item in stimuli.items])


_MOST_VALUES = 100
"""A group with more distinct values is a text or a number, not a label."""
_LONGEST = 60
_RECORDS = ".jsonl"
_SEPARATORS = re.compile(r"[\s_/\\.,;:&]+|(?<=\w)-(?=\w)")
"""A hyphen separates only between letters or digits: in -attractor it is a sign."""


@check("warning", "Inconsistent labels")
def label_variants(stimuli: Stimuli) -> Outcome:
    """Items of one group count as two groups, unless the reader treats the spellings as one."""
    # In the items, and in the records they were read from, since a task may merge several spellings.
    whats, n_labels = _spellings(_groups(stimuli), stimuli.noun)
    if stimuli.source:
        written, n_written = _spellings(_records(stimuli.source), stimuli.noun)
        whats += [f"{what}, which are read as one" for what in written if what not in whats]
        n_labels = max(n_labels, n_written)
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
    return pd.DataFrame([{name: text for name, text in row.items() if isinstance(text, str)} for row in records])


def _is_label(column: pd.Series) -> bool:
    values = column.dropna().unique()
    return 1 < len(values) <= min(_MOST_VALUES, len(column) / 2) and max(map(len, values)) <= _LONGEST


def _variants(column: pd.Series, sections: pd.Series | None, noun: str) -> list[str]:
    """A sentence for each label of a column that has several spellings, the commonest first."""
    shown: dict[str, list[str]] = {}
    several = column.name != PARADIGM and sections is not None and sections.nunique() > 1
    for value, n in column.value_counts().items():
        label = str(value)
        if any(map(str.isalpha, label)):  # numbers such as -1 and 1 are no variants of each other
            paradigms = sections[column == label].nunique() if sections is not None and several else 0
            within = f" in {plural(paradigms, 'paradigm')}" if several else ""
            shown.setdefault(_folded(label), []).append(f"'{label}' ({plural(n, noun)}{within})")
    return [f"{column.name} {' and '.join(spellings)}" for spellings in shown.values() if len(spellings) > 1]


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
    sentences, factors = stimuli.design.sentences, stimuli.design.factors
    if not factors:
        return None
    cells = sentences[factors].apply(lambda column: column.astype(pd.CategoricalDtype(column.unique())))
    counts = cells.groupby(factors, observed=False).size()  # 0 for a combination that never occurs
    if len(counts) < 2:
        return None
    most = int(counts.max())
    short = counts[counts < most]
    places = (zip(factors, cell if isinstance(cell, tuple) else (cell,), strict=True) for cell in short.index)
    named = (", ".join(f"{name} {value}" for name, value in place) for place in places)
    whats = [f"{cell} has {count:,}" for cell, count in zip(named, short, strict=True)]
    predicate = f"have fewer than the {plural(most, 'sentence')} of the fullest one"
    return about_all(whats, len(counts), counted(len(short), len(counts), "condition", predicate))


@check("warning", "Unused rows")
def left_out(stimuli: Stimuli) -> Outcome | None:
    """The results use fewer sentences than the table has."""
    if stimuli.design is None:
        return None
    sentences, excluded = stimuli.design.sentences, stimuli.design.excluded
    reasons = excluded.groupby(["row", "sentid"], sort=False)["reason"].agg("; ".join).reset_index()
    rows = reasons.rename(columns={"sentid": "item", "reason": "what"})
    rows["row"] = rows["row"].astype("Int64").replace(0, None)
    broken = (broken_pairs(sentences, stimuli.design.columns.conditions) != "").sum()
    listed = int(broken) + sum(roi == () for roi in sentences.get("roi", ()))
    of = len(sentences) + len(excluded) - listed
    return about_items(rows, "row", "are left out, or without a partner or a region", of)


@check("error", "Region outside the text")
def regions(stimuli: Stimuli) -> Outcome:
    """The region holds no words, so the sentence gets no number for it."""
    if stimuli.design is not None and stimuli.design.has_region:
        rows = _of_design(stimuli.design.sentences)
    else:
        candidates = [candidate for item in stimuli.items for candidate in item.candidates]
        spans = [(place, name, *span) for place, one in enumerate(candidates) for name, span in one.regions.items()]
        what = []
        for place, name, start, end in spans:
            n = len(candidates[place].text)
            what.append("" if 0 <= start < end <= n else f"region '{name}' is characters {start} to {end} of {n}")
        rows = stimuli.texts.iloc[[place for place, *_ in spans]].assign(what=what)
    return about_items(rows, "region", "lie outside the text")


def _of_design(sentences: pd.DataFrame) -> pd.DataFrame:
    """The sentences with an ROI: what is wrong if it counts beyond the last word, or the last region between bars."""
    stated = sentences[[isinstance(roi, tuple) and bool(roi) for roi in sentences["roi"]]]
    unit, what = "regions between bars" if "bars" in sentences else "words", []
    for row in stated.to_dict("records"):
        n, roi = len(parts({str(name): cell for name, cell in row.items()}, "previous")), row["roi"]
        what.append("" if 0 <= min(roi) <= max(roi) < n else f"position {max(roi)} (from 0) of {n} {unit}")
    return pd.DataFrame({"item": stated["sentid"], "row": None, "text": stated["sentence"], "what": what})
