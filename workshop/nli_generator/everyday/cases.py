"""All kinds of everyday pairs. Each draws a case, or None where the scene does not allow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from workshop.nli_generator.clause import Clause
from workshop.nli_generator.everyday import denied, other, weaker
from workshop.nli_generator.everyday.drawn import scene, single
from workshop.nli_generator.everyday.said import other_words, simple_or_not, styled
from workshop.nli_generator.everyday.weaker import weakened
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.weakening import CONTRADICTION, ENTAILMENT, NEUTRAL, Case

_E, _C, _N = ENTAILMENT, CONTRADICTION, NEUTRAL
_IN_SUBJECT = (weaker.without_agent, weaker.without_companion, weaker.one_verb, weaker.fewer)


def said_otherwise(scenes: Scenes) -> Case | None:
    """The same in other words."""
    clause = scene(scenes)
    return _said(clause, other_words(clause, scenes, 0.6), _E, _E, scenes)


def says_less(scenes: Scenes) -> Case | None:
    """After one to four edits that weaken it."""
    clause = scene(scenes)
    weak = weakened(clause, scenes, scenes.chance.choice((1, 2, 2, 3, 4)))
    if weak == clause:
        return None
    return _said(clause, other_words(weak, scenes), _E, _N, scenes)


def denied_after_all(scenes: Scenes) -> Case | None:
    """The negation of it, or of something that it entails."""
    clause = scene(scenes)
    weak = other_words(weakened(clause, scenes, scenes.chance.choice((0, 0, 1, 2, 3))), scenes, 0.25)
    return _said(clause, denied.denied(weak, scenes), _C, _C, scenes)


def opposite(scenes: Scenes) -> Case | None:
    """What excludes it."""
    verb = scenes.chance.choice(scenes.chance.choice(scenes.words.opposite_verbs))
    clause = single(scenes, transitive=bool(verb.of))
    drawn = scenes.clause(verb=verb)
    clause = clause.but(verb=verb, object=drawn.object, second=None).by(noun=drawn.subject.noun, adjective=None)
    weak = weakened(clause, scenes, scenes.chance.choice((0, 0, 1, 2)), but=(weaker.wider_verb, weaker.without_agent))
    against = denied.opposed(weak, scenes)
    if against is None or clause.subject.also or clause.frame.tense == "past":
        return None
    clause, against = (one.by(wearing=None, colour=None, having=None) for one in (clause, against))
    return _said(
        clause, other_words(against, scenes, 0.2) if scenes.chance.random() < 0.3 else against, _C, _C, scenes
    )


def says_more(scenes: Scenes) -> Case | None:
    """Something is added, perhaps after something was left out."""
    clause = scene(scenes)
    times = scenes.chance.choice((0, 0, 1, 2))
    more = other.applied(other.ADDITIONS, weak := weakened(clause, scenes, times), scenes)
    if more is None:
        return None
    back = _E if weak == clause else _N
    if weak != clause and _restored(clause, more):
        return None
    return _said(clause, other_words(more, scenes, 0.25), _N, back, scenes)


def changed(scenes: Scenes) -> Case | None:
    """Something else is said of the same scene."""
    clause = scene(scenes)
    changed = other.applied(other.CHANGES, weakened(clause, scenes, scenes.chance.choice((0, 0, 1, 2))), scenes)
    if changed is not None and scenes.chance.random() < 0.35:
        changed = other.applied(other.CHANGES, changed, scenes)
    if changed is None or _restored(clause, changed):
        return None
    return _said(clause, other_words(changed, scenes, 0.25), _N, _N, scenes)


def changed_denied(scenes: Scenes) -> Case | None:
    """That something else is not so."""
    clause = single(scenes)
    weak = weakened(clause, scenes, scenes.chance.choice((0, 1)))
    changed = other.applied(other.DENIABLE, weak, scenes)
    if changed is None or _restored(clause, changed) or changed.subject.also or clause.subject.also:
        return None
    return _said(clause, denied.denied(changed, scenes), _N, _N, scenes)


def nobody(scenes: Scenes) -> Case | None:
    """What nobody does, no tall man does in the park either."""
    clause = single(scenes)
    weak = weakened(clause, scenes, scenes.chance.choice((0, 0, 1, 1, 2)), but=_IN_SUBJECT)
    if clause.subject.also or clause.agentless or clause.second:
        return None
    strong = denied.none(clause.by(determiner="a"), scenes)
    fewest = weak if weak.subject.determiner == "pronoun" else weak.by(determiner="a")
    back = _E if weak == clause else _N
    return _said(denied.none(fewest, scenes), other_words(strong, scenes, 0.2), _E, back, scenes)


def elsewhere(scenes: Scenes) -> Case | None:
    """Another scene, often of the same people or things."""
    clause, second = single(scenes), single(scenes)
    if scenes.chance.random() < 0.5:
        if clause.subject.noun.kind not in second.verb.by:
            return None
        second = second.but(subject=clause.subject)
    elif scenes.chance.random() < 0.5 and clause.place:
        second = second.but(place=clause.place)
    if _close(clause, second, scenes):
        return None
    second = second.but(frame=clause.frame)
    if scenes.chance.random() < 0.2:
        second = denied.denied(second, scenes)
    return _said(clause, second, _N, _N, scenes)


Maker = Callable[[Scenes], Case | None]

EVERYDAY: Mapping[str, tuple[Maker, int]] = MappingProxyType(
    {
        "said_otherwise": (said_otherwise, 3),
        "says_less": (says_less, 6),
        "denied": (denied_after_all, 3),
        "opposite": (opposite, 2),
        "says_more": (says_more, 2),
        "changed": (changed, 4),
        "changed_denied": (changed_denied, 1),
        "nobody": (nobody, 1),
        "elsewhere": (elsewhere, 4),
    }
)
"""By name, and how often in 26."""


def _said(one: Clause, two: Clause, forward: str, reverse: str, scenes: Scenes) -> Case:
    """Both clauses in constructions of their own."""
    denying = two.negated or two.there or two.subject.determiner in ("no", "no pl")
    second = two if denying else styled(simple_or_not(two, scenes), scenes)
    if one.negated or one.there or one.subject.determiner in ("no", "no pl"):
        return Case(one, second, forward, reverse)
    return Case(styled(one, scenes), second, forward, reverse)


def _close(one: Clause, two: Clause, scenes: Scenes) -> bool:
    """Whether what one does may follow from, or exclude, what the other one does."""
    if one.verb.base == two.verb.base or one.verb.base.split()[0] == two.verb.base.split()[0]:
        return True
    pairs = (*scenes.words.narrower, *scenes.words.synonymous_verbs, *scenes.words.opposite_verbs)
    if any({one.verb.base, two.verb.base} == {a.base, b.base} for a, b in pairs):
        return True
    same = one.subject.noun.singular == two.subject.noun.singular
    return same and {one.verb.base, two.verb.base} <= scenes.words.exclusive


def _restored(clause: Clause, changed: Clause) -> bool:
    """Whether the changes came back to what the clause says anyway."""
    parts = (changed.subject.adjective, changed.subject.wearing, changed.place, changed.second, changed.manner)
    own = (clause.subject.adjective, clause.subject.wearing, clause.place, clause.second, clause.manner)
    same = all(part in (None, "") or part == mine for part, mine in zip(parts, own, strict=True))
    object = changed.object.adjective if changed.object else None
    mine = clause.object.adjective if clause.object else None
    nouns = changed.subject.noun == clause.subject.noun and (changed.object and changed.object.noun) == (
        clause.object and clause.object.noun)  # fmt: skip
    numbers = changed.subject.determiner == clause.subject.determiner
    return same and nouns and numbers and object in (None, mine) and changed.verb in (clause.verb, clause.second)
