"""Example prefixes, each with forms to choose between and what it shows."""

from __future__ import annotations

from typing import NamedTuple


class Beginning(NamedTuple):
    """A prefix, forms after it, what it shows, and a note for teachers."""

    title: str
    prefix: str
    forms: str
    note: str


EXAMPLES = (
    Beginning(
        "A word must end", "When the little boy hears the story, he", "laugh, laughs",
        "To the model laughs is laugh and s: if the end of the word is not counted, laugh takes in laughs and wins.",
    ),
    Beginning(
        "Agreement past another noun", "The keys to the cabinet", "is, are",
        "The verb agrees with keys; cabinet stands nearer.",
    ),
    Beginning(
        "The nearest noun wins", "The man who had seen the ships that left the harbours", "was, were",
        "A small model may follow the nearest noun instead of the subject.",
    ),
    Beginning("Nearly certain", "At the same", "time, moment", "A fixed phrase leaves little to choose: few bits."),
    Beginning("Wide open", "It was a", "good, bad", "Almost any adjective fits: many bits."),
    Beginning("One letter before", "I saw an", "apple, pear", "The article tells how the next word begins."),
)  # fmt: skip
