"""Empty texts are named by number, those of characters without width too."""

from __future__ import annotations

import pytest

from core.text import none_empty
from tests.refusals import error_of


@pytest.mark.parametrize("text", ["", " \t", "\u200b", "\ufeff", "\u2060 \u00ad", "\u202e\u200f\ufe0f"])
def test_a_text_of_which_nothing_is_seen_is_empty(text: str) -> None:
    assert "text.tsv, row 2: the text is empty" in error_of(lambda: none_empty(["one", text], "text.tsv, row"))


def test_characters_without_width_may_stand_in_a_text() -> None:
    texts = ["\ufeffThe keys", "co\u00adoperate", "\u200eנכון", "می\u200cخواهم", "👩\u200d🔬"]
    assert none_empty(texts, "text") == texts
