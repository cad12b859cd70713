"""Which word of a candidate sentence replaces BLANK.

The successor's rule counts pieces between spaces: the word is the candidate's piece at the place of the context's
piece with BLANK (the last one of several), without ASCII punctuation. Where BLANK is glued to other characters
(`sometimes.BLANK`) the rule takes them along (`sometimespizza`); `in_place` does not.
"""

from __future__ import annotations

import string
from collections.abc import Sequence

from core.files.stereoset.examples import BLANK, Candidate3

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def published_word(context: str, sentence: str) -> str:
    """The word by the successor's rule; empty if the context has no BLANK or the sentence is too short."""
    places = [place for place, piece in enumerate(context.split(" ")) if BLANK in piece]
    pieces = sentence.split(" ")
    return pieces[places[-1]].translate(_NO_PUNCTUATION) if places and places[-1] < len(pieces) else ""


def in_place(context: str, sentence: str) -> str:
    """What the sentence has in place of the context's only BLANK, ignoring case around it.

    Empty if there is none or several, and if the sentence differs elsewhere.
    """
    before, blank, after = context.partition(BLANK)
    end = len(sentence) - len(after)
    if not blank or BLANK in after or end < len(before):
        return ""
    alike = sentence[: len(before)].casefold() == before.casefold() and sentence[end:].casefold() == after.casefold()
    return sentence[len(before) : end] if alike else ""


def blank_remarks(context: str, candidates: Sequence[Candidate3]) -> list[str]:
    """What is unusual about the BLANK of an intrasentence context, as sentences."""
    n = context.count(BLANK)
    remarks = []
    if not n:
        remarks.append(f"its context has no {BLANK}")
    if n > 1:
        remarks.append(f"its context has {BLANK} {n} times; each is replaced by the word")
    taken = [candidate.word for candidate in candidates]
    meant = [in_place(context, candidate.sentence) or candidate.word for candidate in candidates]
    instead = f": the published rule takes {', '.join(taken)} for {', '.join(meant)}" if taken != meant else ""
    for piece in context.split():
        if BLANK in piece and any(character.isalnum() for character in piece.replace(BLANK, "")):
            remarks.append(f"{BLANK} is glued to other letters ({piece}){instead}")
    return remarks
