"""Checks of single texts: what a spreadsheet, a web page or a paper left in them, and what a model hardly knows."""

import html
import re
import unicodedata
from functools import lru_cache

import numpy as np
import pandas as pd

from pairlens.studies.lint.check import Outcome, Stimuli, about_items, about_texts, check, check_of_texts
from pairlens.text import detokenise, looks_tokenised
from pairlens.text.faults import JUDGEMENT, LOST, has_entity, is_date, is_garbled, is_lost, mended

_AROUND = 12
"""Characters of context shown on either side of the first match."""
_CLOSING = "\"'’”»)]}"
_LAST_MARK = r"([^\w\s])$"


# What was lost or spoilt on the way


@check("error", "Empty texts")
def empty_texts(stimuli: Stimuli) -> Outcome:
    """A text without words gets no score, and its item is left out of every number."""
    candidates = (candidate for item in stimuli.items for candidate in item.candidates)
    what = [
        "" if candidate.text.strip() else f"candidate '{candidate.label}' has no text" for candidate in candidates
    ]
    return about_items(stimuli.texts.assign(what=what), "text", "are empty and cannot be scored")


@check_of_texts(
    "error", "Text lost in a spreadsheet", "hold a spreadsheet error or a missing value instead of a text"
)
def lost_cells(text: str) -> str:
    """It is scored as if it were the text. #NAME? comes from a text that begins with = or -."""
    return f"'{text.strip()[:40]}' where a text should be" if is_lost(text) else ""


@check_of_texts("error", "Dates where words are expected", "are a date or a time and nothing else")
def dates(text: str) -> str:
    """Spreadsheets turn 1-3 or March 1 into a date: what was typed is lost, and the date is scored instead."""
    return f"'{text.strip()}' where words are expected" if is_date(text) else ""


@check_of_texts("error", "HTML entities", "have HTML entities such as &amp; in them")
def html_entities(text: str) -> str:
    """The model reads the entity letter by letter, not the character it stands for."""
    return f"should read: {html.unescape(text)}" if has_entity(text) else ""


@check_of_texts(
    "error", "Acceptability marks", "have an acceptability mark, as printed before or after examples in papers"
)
def judgement_marks(text: str) -> str:
    """The mark is scored as part of the sentence and gives the bad one away: remove it."""
    return _matches(JUDGEMENT, text)


@check_of_texts("error", "Wrong encoding", "were read in the wrong encoding: save the file as UTF-8")
def wrong_encoding(text: str) -> str:
    """The words are garbled, and no model knows them."""
    if not is_garbled(text):
        return ""
    return "a character was lost (�)" if LOST in text else f"should read: {mended(text)}"


@check("warning", "Tokenised text")
def tokenised(stimuli: Stimuli) -> Outcome | None:
    """Models have seen ordinary text: spaces before commas and after apostrophes lower every score."""
    # Does not apply to models whose tokens are the words of such text.
    if stimuli.counter and stimuli.counter.whole_words:
        return None
    language = looks_tokenised(stimuli.all_texts)
    joined = {text: detokenise(text, language) for text in set(stimuli.all_texts)} if language else {}
    look = "look tokenised, with spaces before punctuation or after elisions"
    predicate = f"{look}; the policy detokenise={language} joins them"

    def describe(text: str) -> str:
        return f"would read: {joined[text]}" if joined.get(text, text) != text else ""

    return about_texts(stimuli, describe, predicate)


# Characters that are rare or cannot be seen


@check_of_texts("note", "Words in capitals", "have words in capitals")
def capitals(text: str) -> str:
    """Abbreviations are fine; a word written in capitals for emphasis is split into other, rarer tokens."""
    if text.islower() or (text.isascii() and text[1:].islower()):
        return ""  # at most the first letter: nearly all sentences
    return ", ".join(dict.fromkeys(word for word in re.findall(r"[^\W\d_]{2,}", text) if word.isupper()))


@check_of_texts(
    "warning", "Accents as separate characters", "have accents as separate characters (not in the form NFC)"
)
def normal_forms(text: str) -> str:
    """They look the same but are different tokens, which models have hardly seen."""
    if unicodedata.is_normalized("NFC", text):
        return ""
    words = dict.fromkeys(word for word in text.split() if not unicodedata.is_normalized("NFC", word))
    return f"in {', '.join(words)}"


_CURLY = re.compile("[‘’‚‛“”„‟]")


@check("warning", "Curly quotation marks")
def quotes(stimuli: Stimuli) -> Outcome:
    """Small models have never seen them and find them very improbable; the text policy can straighten them."""
    mixed = any("'" in text or '"' in text for text in stimuli.all_texts)
    others = ", while others have straight ones" if mixed else ""
    return about_texts(
        stimuli,
        lambda text: "" if text.isascii() else _matches(_CURLY, text),
        f"have curly quotation marks or apostrophes{others}",
    )


_LETTERS = re.compile(r"[^\W\d_]+")
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
"""Scripts with letters that look alike. Others may be mixed: Japanese words are, and so are `SMS和` and `α`."""


@check_of_texts("warning", "Several scripts in one word", "have words with letters from several scripts")
def scripts(text: str) -> str:
    """Letters that look alike are different to a tokenizer: no model knows the resulting word."""
    words = () if text.isascii() else dict.fromkeys(_LETTERS.findall(text))
    return ", ".join(
        f"{word} ({', '.join(f'{letter} {_script(letter).lower()}' for letter in dict.fromkeys(word))})"
        for word in words
        if not word.isascii() and len({_script(letter) for letter in word} & _ALIKE) > 1
    )


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


_ODD_SPACES = re.compile(
    "[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u00ad\u200b\u2060\ufeff\t\r\f\v]"
    r"|^[^\S\n]+|(?<![^\S\n])[^\S\n]+$|(?<=\S)[^\S\n]{2,}(?=\S)"
)


@check_of_texts("warning", "Odd spaces", "have invisible spaces (no-break, double, or at the beginning or end)")
def spaces(text: str) -> str:
    """To a tokenizer, a no-break or a second space is a different character with a different probability."""
    return _matches(_ODD_SPACES, text) if not text.isascii() or " ".join(text.split()) != text else ""


_STYLE = 0.1
"""If a larger share of the texts of a paradigm have line breaks, they are how such texts are written."""


@check("warning", "Line breaks inside a text")
def line_breaks(stimuli: Stimuli) -> Outcome:
    """A line break is a token of its own, and often the end of a text: words after it get lower scores."""
    # Those that other texts do not have.
    texts = stimuli.texts
    broken = texts["text"].str.contains("\n", regex=False)
    of_item = broken.groupby(texts.index)
    uneven = of_item.transform("any") & ~of_item.transform("all")
    meant = broken.groupby(texts["section"].to_numpy()).transform("mean") > _STYLE
    strays = {*texts.loc[broken & (uneven | ~meant), "text"]}

    def describe(text: str) -> str:
        before, _, after = text.partition("\n")
        return f"a line break between '{before[-12:]}' and '{after[:12]}'" if text in strays else ""

    return about_texts(stimuli, describe, "have a line break inside, unlike the others of this set")


@check("note", "No punctuation at the end")
def end_marks_missing(stimuli: Stimuli) -> Outcome:
    """Texts with and without a final mark are not comparable: the mark is scored, and models expect one."""
    # Where most texts lack the mark, that is the style of the set.
    texts = stimuli.texts
    bare = end_marks(texts["text"]) == ""
    what = np.where(bare & (2 * bare.sum() < len(texts)), "no mark at the end", "")
    return about_items(texts.assign(what=what), "text", "have no punctuation mark at the end; the others have one")


@check("warning", "Longer than the model can see")
def window(stimuli: Stimuli) -> Outcome | None:
    """Later words are predicted without the beginning of the text, in windows that overlap."""
    if not stimuli.counter or stimuli.counter.window is None:
        return None
    most = stimuli.counter.window
    # A text has at most as many tokens as bytes, so short texts need not be counted.
    long = [text for text in set(stimuli.all_texts) if len(text.encode("utf-8", "replace")) > most]
    counts = {text: stimuli.counter.tokens(text) for text in long}
    return about_texts(
        stimuli,
        lambda text: f"{counts[text]:,} tokens" if counts.get(text, 0) > most else "",
        f"are longer than the {most:,} tokens the model sees at once",
    )


def _matches(pattern: re.Pattern[str], text: str) -> str:
    """What the pattern matches in a text, and the first match in its context; empty if it matches nothing."""
    matches = list(pattern.finditer(text))
    if not matches:
        return ""
    start, end = matches[0].span()
    kinds = dict.fromkeys(_shown(match.group()) for match in matches)
    return f"{', '.join(kinds)} in '{text[max(start - _AROUND, 0) : end + _AROUND]}'"


def _shown(stretch: str) -> str:
    """The stretch itself, or the name of an invisible character."""
    if len(stretch) == 1 and (stretch.isspace() or not stretch.isprintable()):
        return unicodedata.name(stretch, f"character U+{ord(stretch):04X}").lower()
    return stretch if stretch.strip() else f"{len(stretch)} spaces"


def end_marks(texts: pd.Series) -> pd.Series:
    """The last mark before closing quotation marks and brackets, empty where a text ends with a word."""
    bare = texts.str.rstrip().str.rstrip(_CLOSING)
    return bare.str.extract(_LAST_MARK, expand=False).fillna("").astype("str")
