"""The origin of the scores in a part, also in one that was merged from several.

A merged part's provenance has what all sources share and, under `sources`, what differs: one entry per source in the
order of the part's requests, with the number of its `requests`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.store.parts import Part

Provenance = Mapping[str, Any]


def sources(part: Part) -> list[tuple[int, Provenance]]:
    """The sources of its scores, in their order, each with its number of requests."""
    common = {name: value for name, value in part.about["provenance"].items() if name != "sources"}
    given = part.about["provenance"].get("sources")
    if given is None:
        return [(part.about["requests"], common)]
    return [(one["requests"], {**common, **{k: v for k, v in one.items() if k != "requests"}}) for one in given]


def windows(parts: Iterable[Part]) -> dict[str, int]:
    """`window` and `stride` of the scorers of these parts, all of one fingerprint; empty if not recorded."""
    for part in parts:
        for _, one in sources(part):
            recorded = {name: one[name] for name in ("window", "stride") if isinstance(one.get(name), int)}
            if len(recorded) == 2:
                return recorded
    return {}


def joined(found: Sequence[tuple[int, Provenance]]) -> dict[str, Any]:
    """Several sources as one provenance; `sources` is the inverse."""
    first = found[0][1]
    if len(found) == 1:
        return dict(first)
    shared = {k: v for k, v in first.items() if all(k in one and one[k] == v for _, one in found)}
    apart = [{"requests": n, **{k: v for k, v in one.items() if k not in shared}} for n, one in found]
    return {**shared, "sources": apart}
