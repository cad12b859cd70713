"""Where the scores in a part come from, also where several parts were joined: nothing of it is lost.

A joined part's provenance is what all have in common and, under `sources`, what they have not: one entry per source
in the order of the part's requests, with the number of its `requests`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.store.parts import Part

Provenance = Mapping[str, Any]


def sources(part: Part) -> list[tuple[int, Provenance]]:
    """How many of its requests, in the order of its scores, come from where."""
    common = {name: value for name, value in part.about["provenance"].items() if name != "sources"}
    given = part.about["provenance"].get("sources")
    if given is None:
        return [(part.about["requests"], common)]
    return [(one["requests"], {**common, **{k: v for k, v in one.items() if k != "requests"}}) for one in given]


def windows(parts: Iterable[Part]) -> dict[str, int]:
    """`window` and `stride` as the scorers say of themselves that filled these parts, all of one fingerprint.

    Empty where none says it: those of before did not.
    """
    for part in parts:
        for _, one in sources(part):
            said = {name: one[name] for name in ("window", "stride") if isinstance(one.get(name), int)}
            if len(said) == 2:
                return said
    return {}


def joined(found: Sequence[tuple[int, Provenance]]) -> dict[str, Any]:
    """Several sources as one provenance, from which `sources` has them back."""
    first = found[0][1]
    if len(found) == 1:
        return dict(first)
    everywhere = {
        name: value for name, value in first.items() if all(name in one and one[name] == value for _, one in found)
    }
    apart = [
        {"requests": n, **{name: value for name, value in one.items() if name not in everywhere}} for n, one in found
    ]
    return {**everywhere, "sources": apart}
