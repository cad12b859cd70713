"""What the tab Inside says in sentences of its own."""

from __future__ import annotations

import pandas as pd

from core.studies.inside import Inside

_RESIDUAL = "residual"
COMPONENTS = {_RESIDUAL: "State (residual stream)", "attention": "Attention output", "mlp": "MLP output"}
_NAMED = {_RESIDUAL: "state", "attention": "attention output", "mlp": "MLP output"}
_MOST = 0.5
"""Of the difference, moved in both directions."""
SHARE = (
    "A patch takes the state that one beginning has at one layer and token and puts it into the run of the other. "
    "Each beginning has a margin: by how many bits the first form leads the second after it, the end of the word "
    "counted as chosen under Scoring. The share is how much of the difference between the two margins the patch "
    "moves: 0 % nothing, 100 % all of it; below 0 it moves the other way. Layer 0 is the embedding. In two places "
    "100 % is no finding but how networks work: at layer 0 where a single token differs, and in the last layer at "
    "the last token, from whose state the next word is read."
)
SOURCES = (
    "Patching: Vig et al. 2020, Finlayson et al. 2021, Meng et al. 2022, Arora et al. 2024. Reading earlier layers "
    "through the end of the network (logit lens): nostalgebraist 2020."
)


def headline(found: Inside) -> str:
    """How late in the network a single place moves most of the decision both ways, and from where the end does."""
    best = telling(found, "first")
    what, layer, last = _NAMED[found.component], best["layer"], int(found.cells["layer"].max())
    moves = f"the {what} of {_place(best)} moves {_moved(best)}."
    if best["least"] <= _MOST:
        before = (
            f" before the last {'token' if found.alignment.end else 'layer'}" if found.component == _RESIDUAL else ""
        )
        return f"No single {what}{before} moves more than half of the difference both ways. In layer {layer}, {moves}"
    if found.component != _RESIDUAL:
        return f"In layer {layer}, {moves}"
    return f"As late as layer {layer} of {last}, {moves}{_at_the_end(found)}"


def telling(found: Inside, direction: str) -> pd.Series:
    """The cell that says most, in this direction; `back` is the other one's share, `least` the lesser of both.

    Of states, the one of the latest layer that moves more than half both ways; else the one that moves most both
    ways. Those of the last token are left out where something else differs: what is decided arrives there sooner or
    later.
    """
    both = _both(found, direction)
    if found.component == _RESIDUAL:
        both = both[both["layer"] < both["layer"].max()]
        if found.alignment.end:
            both = both[both["position"] < both["position"].max()]
        most = both[both["least"] > _MOST]
        both = most[most["layer"] == most["layer"].max()] if len(most) else both
    return both.sort_values("least", ascending=False, kind="stable").iloc[0]


def patch(found: Inside, one: pd.Series) -> str:
    """What the patch of one cell moves, beside its control."""
    forms = found.question.forms
    gains, on = forms if one["bits"] >= 0 else forms[::-1]
    moved = f"“{gains}” gains {abs(one['bits']):.1f} bits on “{on}”"
    if pd.isna(one["share"]):
        return f"{moved}."
    share, control = _percent(one["share"]), _percent(one["random"])
    return f"{moved}, {share} of the difference. A random direction of the same size: {control}."


def plain(token: str) -> str:
    """A token without the mark of its space."""
    return token.removeprefix("·") or token


def _both(found: Inside, direction: str) -> pd.DataFrame:
    """The cells of a direction with what they move the other way round."""
    own, place = found.cells["direction"] == direction, ["layer", "position", "donor_position"]
    swapped = {"position": "donor_position", "donor_position": "position", "share": "back"}
    both = found.cells[own].merge(found.cells[~own].rename(columns=swapped)[[*place, "back"]], on=place)
    return both.assign(least=both[["share", "back"]].min(axis=1))


def _at_the_end(found: Inside) -> str:
    """From which layer on the last token's state moves most both ways, where it is not what differs."""
    both = _both(found, "first")
    end = both[both["position"] == both["position"].max()].set_index("layer")
    less = end.index[end["least"] <= _MOST]
    start = int(less.max()) + 1 if len(less) else 0
    if not found.alignment.end or start not in end.index:
        return ""
    return f" From layer {start} on, that of the last token, “{plain(end['token'].iloc[0])}”, moves most of it."


def _place(one: pd.Series) -> str:
    donor, receiver = plain(one["donor_token"]), plain(one["token"])
    return f"“{donor}”" if donor == receiver else f"“{donor}”, put in place of “{receiver}”,"


def _moved(one: pd.Series) -> str:
    return f"{_percent(one['share'])} of the difference (the other way round {_percent(one['back'])})"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %".replace("-0 %", "0 %")
