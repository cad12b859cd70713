"""The results in the cards of the bundled models, as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from core.reports.model_evaluation.sets import SETS
from core.types import Model

_TITLES = {
    **{one.key: one.title for one in SETS},
    "gallery": "gallery",
    "nli_held_out": "our own held-out pairs",
    "sick": "SICK",
    "sick_br": "SICK-BR",
    "assin2": "ASSIN 2",
    "stories": "our own texts",
    "stereoset_intersentence": "StereoSet between sentences (LMS)",
}


def markdown(models: Sequence[Model]) -> str:
    """A row per model: kind, languages, parameters, tokens seen, headline figures."""
    lines = ["| model | kind | languages | parameters | tokens seen | measured |", "|---|---|---|---|---|---|"]
    for model in models:
        card = model.card
        cells = (
            f"`{model.name}`",
            model.kind,
            str(card.get("language", "")).replace(" ", ", "),
            millions(card.get("parameters")),
            millions(card.get("training", {}).get("tokens_seen", card.get("tokens"))),
            ", ".join(headlines(card.get("scores", {}))),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def headlines(scores: Mapping[str, Any]) -> Iterator[str]:
    """Each figure as text: `BLiMP 63.4 %`, `BLiMP (mntp) 62.0 %`, `gallery 10 of 14`."""
    for key, found in scores.items():
        name = title(key, found)
        if "right" in found:
            yield f"{name} {found['right']} of {found['pairs']}"
        else:
            yield f"{name} {found['macro']:.1f} %"


def title(key: str, found: Mapping[str, Any] = MappingProxyType({})) -> str:
    """The name of a set, with the scorer if it is not the usual one: `BLiMP (mntp)` for `blimp_mntp`.

    With what was found on it, also which part was scored, where that says it: `ASSIN 2, test part`.
    """
    if "part" in found:
        return f"{title(key)}, {found['part']}"
    known = max((one for one in _TITLES if key == one or key.startswith(f"{one}_")), key=len, default="")
    scorer = key.removeprefix(known).strip("_")
    return f"{_TITLES[known]} ({scorer})" if known and scorer else _TITLES.get(known, key)


def millions(number: int | None) -> str:
    """`4.6 M`; empty if unknown."""
    return f"{number / 1e6:,.1f} M" if number else ""
