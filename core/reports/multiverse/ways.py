"""The ways of computing a benchmark's number that differ between papers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.analysis.multiverse import ADDED_UP, policies_for, scored_in_words
from core.analysis.summary import metrics_under
from core.policies import PRESETS, Policy, preset_for
from core.rules import RULES
from core.runs.zero_shot import meaningless
from core.types import ScorerKind, Task

BY_LENGTH = ("word", "character", "slor")
"""Aggregations that no policy has, because they need the text as well as its scores."""
_TEXTS = {"auto": "typography as usual", "typographic": "typography mapped", "as-typed": "text as typed"}
_JOINED = {"": "", "en": ", English joined", "fr": ", French joined"}
"""What a tokenizer sees, short enough for a chart; `CHOICES` has the full descriptions."""
_OF_WHOLE_TEXTS = ("joint", "conditional")
"""Rules under which a candidate is scored as a text, so that its words can be counted."""
_REPEATS = ("cases", "cases_unspaced")
"""Rules with the score of `conditional` or `gap`, and additional requests."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way: a policy (how texts are scored), a rule of the task, and an aggregation of token scores.

    `added_up` is a key of `ADDED_UP`; the policy's `sentence_value` follows from it. `reads` are the policy fields
    that the scorer reads, `texts` those that change what a tokenizer sees.
    """

    policy: Policy
    rule: str
    added_up: str
    reads: tuple[str, ...]
    texts: tuple[str, ...] = ("leading_space",)

    @property
    def scoring(self) -> tuple[object, ...]:
        """Identifies the scores it needs, so that ways can share them, as a form with and without its end does."""
        question = "form" if RULES[self.rule].forms else self.rule
        fields = self.policy.scoring((*self.reads, *self.texts))
        return (question, *sorted(fields.items()))

    @property
    def identity(self) -> tuple[object, ...]:
        """Identifies its number, ties aside. A first token that counts as certain matters in means only."""
        certain = self.added_up == "token" and "first_token" in self.reads and self.policy.first_token == "one"
        return (self.scoring, self.rule, self.added_up, certain)

    def in_words(self, usual_rule: str) -> str:
        """How texts are scored and aggregated, short enough for a chart."""
        return " · ".join(filter(None, [self.scored_in_words(usual_rule), ADDED_UP[self.added_up]]))

    def scored_in_words(self, usual_rule: str) -> str:
        """The same without the aggregation. Another rule always has the base policy, which is not mentioned."""
        if self.rule != usual_rule:
            return RULES[self.rule].about
        parts = scored_in_words(self.policy, self.reads)
        if {"text", "detokenise"} & set(self.texts):
            parts.append(_TEXTS[self.policy.text] + _JOINED[self.policy.detokenise])
        return " · ".join(parts)


def ways_of(
    task: Task, kind: ScorerKind, base: Policy, rule: str, metric: str, *, same_texts: bool
) -> tuple[list[Way], dict[str, str]]:
    """All distinct ways for a scorer, the base policy and rule first; and by name, why others are meaningless.

    They vary first token and PLL variant (if the scorer reads them), the leading space of causal models, sum and
    mean; for the base policy and for whole texts also means per word and per character and SLOR; and, under the base
    policy, the task's other rules for which the metric is defined. Everything else is as in the base policy. Unless
    the presets give the same texts as the base policy (`same_texts`), presets are ways of their own.
    """
    texts = ("leading_space",) if same_texts else ("leading_space", "text", "detokenise")
    distinct: dict[tuple[object, ...], Way] = {}
    left_out: dict[str, str] = {}
    own_meaningless = meaningless(task, rule, kind, base)  # the run exists, and is shown all the same
    for policy, question, added_up in _varied(task, kind, base, rule, metric, same_texts=same_texts):
        value = "mean" if added_up == "token" else "sum"
        one = Way(policy.but(sentence_value=value, name=base.name), question, added_up, kind.reads, texts)
        reason = "" if own_meaningless and one.rule == rule else meaningless(task, one.rule, kind, one.policy)
        if reason:
            left_out[one.scored_in_words(rule)] = reason
        else:
            distinct.setdefault(one.identity, one)
    return list(distinct.values()), left_out


def _varied(
    task: Task, kind: ScorerKind, base: Policy, rule: str, metric: str, *, same_texts: bool
) -> Iterator[tuple[Policy, str, str]]:
    """Policy, rule and aggregation of every way, with repetitions."""
    yield base, rule, _value_of(base)
    if kind.whole:
        return
    for policy in policies_for(kind, base):
        yield policy, rule, _value_of(policy)
        if _whole(policy, base) and rule in _OF_WHOLE_TEXTS:
            yield from ((policy, rule, added_up) for added_up in BY_LENGTH)
    for other in _other_rules(task, kind, rule, metric):
        values = ADDED_UP if other in _OF_WHOLE_TEXTS else ("sum", "token")
        yield from ((base, other, added_up) for added_up in values)
    for policy in () if same_texts else (preset_as(name, task, base) for name in PRESETS):
        yield policy, rule, _value_of(policy)


def presets_of(way: Way, task: Task) -> list[str]:
    """The presets that give this way's number, up to their tie rules."""
    named = []
    for name in PRESETS:
        policy = preset_as(name, task, way.policy)
        if Way(policy, way.rule, _value_of(policy), way.reads, way.texts).identity == way.identity:
            named.append(name)
    return named


def preset_as(name: str, task: Task, base: Policy) -> Policy:
    """The preset for this task, with the base policy's windows: these matter for long texts only."""
    chosen = preset_for(name, task.sets)
    same = chosen.windows == base.windows
    return chosen if same else chosen.but(windows=base.windows, name=f"{name}, changed")


def _value_of(policy: Policy) -> str:
    return {"sum": "sum", "mean": "token"}[policy.sentence_value]


def _whole(policy: Policy, base: Policy) -> bool:
    """Whether the lengths of texts fit their scores: the first word is scored, or unscored by the base policy."""
    return policy.first_token in ("bos", base.first_token) and policy.leading_space == base.leading_space


def _other_rules(task: Task, kind: ScorerKind, rule: str, metric: str) -> list[str]:
    if not kind.accepts:
        return []  # scored by another program
    same = {"cases": "conditional", "cases_unspaced": "conditional"}.get(rule)
    return [
        other for other in task.rules if other not in (rule, same, *_REPEATS) and metric in metrics_under(task, other)
    ]
