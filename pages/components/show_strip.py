"""The strip of words: one cell per word, shaded by surprisal on the scale that all pages share."""

from __future__ import annotations

import math
from itertools import groupby

import pandas as pd
import streamlit as st

from pages.components.notices import fill

LONGEST = 400
"""A strip of more cells than this says how many are left out."""
_LEGEND = """<div class="pl-legend"><span>0</span><span class="pl-ramp"></span><span>20 bits of surprisal or more</span>
<span><i class="pl-member a"></i>A</span><span><i class="pl-member b"></i>B</span></div>"""


def show_strip(words: pd.DataFrame) -> None:
    """Words both sentences share are one cell, elsewhere A stands above B.

    `words`: position, member (`A`, `B`, `both`), word, surprisal (bits, NaN where unscored).
    """
    rows = words[["position", "member", "word", "surprisal"]].itertuples(index=False, name=None)
    places = ["".join(_cell(*row[1:]) for row in group) for _, group in groupby(rows, key=lambda row: row[0])]
    more = f'<span class="pl-quiet">… and {len(places) - LONGEST} more words</span>' if len(places) > LONGEST else ""
    stacks = "".join(f'<div class="pl-stack">{place}</div>' for place in places[:LONGEST])
    st.html(f'<div class="pl-strip" dir="auto">{stacks}{more}</div>{_LEGEND}')


def _cell(member: str, word: str, bits: float) -> str:
    mark = "" if member == "both" else f'<i class="pl-member {member.lower()}" title="{member}"></i>'
    if math.isnan(bits):
        return fill('<div class="pl-cell unscored">' + mark + "<span>$word</span><small>not scored</small></div>", word=word)
    style = f'style="--bits:{min(max(bits, 0), 20):.2f}"'
    return fill(f'<div class="pl-cell" {style}>{mark}<span>$word</span><small>{bits:.1f}</small></div>', word=word)
