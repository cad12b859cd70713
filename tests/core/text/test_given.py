"""Empty texts are named by number, those of characters without width too."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from core.text import none_empty, visible
from tests.refusals import error_of


@pytest.mark.parametrize("text", ["", " \t", "\u200b", "\ufeff", "\u2060 \u00ad", "\u202e\u200f\ufe0f"])
def test_a_text_of_which_nothing_is_seen_is_empty(text):
    assert "text.tsv, row 2: the text is empty" in error_of(lambda: none_empty(["one", text], "text.tsv, row"))


def test_characters_without_width_may_stand_in_a_text():
    texts = ["\ufeffThe keys", "co\u00adoperate", "\u200eנכון", "می\u200cخواهم", "👩\u200d🔬"]
    assert none_empty(texts, "text") == texts


def test_what_nobody_sees_is_no_word():
    """All format characters of Unicode but those with a shape of their own, and letters that are blank."""
    shaped = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    unseen = [n for n in range(sys.maxunicode) if unicodedata.category(chr(n)) in ("Cf", "Cc") and n not in shaped]
    blank = [0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x34F, 0x17B4, 0xFE0F, 0xE0100, 0x3000, 0xA0]
    assert len(unseen) > 200 and not [hex(n) for n in (*unseen, *blank) if visible(chr(n))]
    assert [visible(chr(n)) for n in shaped] == [*map(chr, shaped)]
    assert visible(" \u3164cat\u2800") == "cat"
