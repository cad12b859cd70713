"""Which requests a candidate makes, and how their scores combine into the candidate's score.

A rule is a short list of weighted requests; the candidate's log-probability is the weighted sum of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.types import Candidate, Request


@dataclass(frozen=True, slots=True)
class Rule:
    """`terms(candidate)` are the requests, `weights` their factors, in the same order."""

    name: str
    about: str
    weights: tuple[float, ...]
    terms: Callable[[Candidate], tuple[Request, ...]]


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            Rule(
                "joint",
                "log p(context + text): the whole text",
                (1.0,),
                lambda candidate: (Request("", candidate.context + candidate.text),),
            ),
            Rule(
                "conditional",
                "log p(text | context)",
                (1.0,),
                lambda candidate: (Request(candidate.context, candidate.text),),
            ),
        )
    }
)
