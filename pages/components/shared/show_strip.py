"""The strip of words: one cell per word, shaded by surprisal on the scale that all pages share."""

from __future__ import annotations

import math
from itertools import groupby

import pandas as pd
import streamlit as st

from core.measures import surprisal
from pages.components.shared.notices import fill

LONGEST = 400
"""A strip of more cells than this says how many are left out."""
RARE_PIECES = 4
"""A word in so many pieces was rare in what the tokenizer was made from."""
_LEGEND = '<span>0</span><span class="pl-ramp"></span><span>20 bits of surprisal or more</span>'
_RARE = '<span><u class="pl-rare">dotted</u>: in many tokens, rare for this model</span>'


def show_strip(words: pd.DataFrame) -> None:
    """Words both sentences share are one cell, elsewhere A stands above B.

    `words`: position, member (`A`, `B`, `both`), word, logprob (nats, NaN where unscored), n_tokens.
    """
    rows = words[["position", "member", "word", "logprob", "n_tokens"]].itertuples(index=False, name=None)
    places = ["".join(_cell(*row[1:]) for row in group) for _, group in groupby(rows, key=lambda row: row[0])]
    more = f'<span class="pl-quiet">… and {len(places) - LONGEST} more words</span>' if len(places) > LONGEST else ""
    stacks = "".join(f'<div class="pl-stack">{place}</div>' for place in places[:LONGEST])
    legend = _LEGEND + (_RARE if (words["n_tokens"] >= RARE_PIECES).any() else "")
    st.html(f'<div class="pl-strip" dir="auto">{stacks}{more}</div><div class="pl-legend">{legend}</div>')


def _cell(member: str, word: str, logprob: float, pieces: int) -> str:
    bits = surprisal(logprob)
    mark = "" if member == "both" else f'<i class="pl-member {member.lower()}" title="{member}"></i>'
    shown = '<u class="pl-rare">$word</u>' if pieces >= RARE_PIECES else "<span>$word</span>"
    if math.isnan(bits):
        return fill(f'<div class="pl-cell unscored">{mark}{shown}<small>not scored</small></div>', word=word)
    style = f'style="--bits:{min(max(bits, 0), 20):.2f}"'
    return fill(f'<div class="pl-cell" {style}>{mark}{shown}<small>{bits:.1f}</small></div>', word=word)
