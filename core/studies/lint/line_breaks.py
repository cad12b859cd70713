"""Line breaks inside texts that others do not have."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli

_RULE = 0.1
"""If a larger share of the texts of a paradigm have line breaks, they are how such texts are written."""


def _find(stimuli: Stimuli) -> Found:
    texts = stimuli.texts
    broken = texts["text"].str.contains("\n", regex=False)
    of_item = broken.groupby(texts.index)
    uneven = of_item.transform("any") & ~of_item.transform("all")
    meant = broken.groupby(texts["section"].to_numpy()).transform("mean") > _RULE
    strays = {*texts.loc[broken & (uneven | ~meant), "text"]}
    predicate = "have a line break inside, unlike the others of this set"
    return found_in_texts(stimuli, strays.__contains__, predicate, _what)


def _what(text: str) -> str:
    before, _, after = text.partition("\n")
    return f"a line break between '{before[-12:]}' and '{after[:12]}'"


CHECK = Check(
    name="line_breaks",
    title="Line breaks inside a text",
    severity="warning",
    meaning="A line break is a token of its own, and often the end of a text: words after it get lower scores.",
    find=_find,
)
