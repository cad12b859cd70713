"""All kinds of pairs. A construction draws a case, whose labels follow from a rule of logic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from workshop.nli_generator import joining, lexical, logical, weakening
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.weakening import CONTRADICTION, ENTAILMENT, NEUTRAL, Case, Weakening

Construction = Callable[[Scenes], Case]

_E, _C, _N = ENTAILMENT, CONTRADICTION, NEUTRAL


def edited(weaken: Weakening, scenes: Scenes) -> Case:
    """A clause and one that says less, under every kind of quantifier and negation."""
    ways = (weakening.kept, weakening.kept, weakening.turned, weakening.turned, weakening.opposed, weakening.opposed)
    edit = weaken(scenes)
    return scenes.chance.choice((*ways, weakening.compatible))(edit, scenes)


def two_edits(scenes: Scenes) -> Case:
    """Two of the edits at once, in one direction or against each other."""
    weak = scenes.clause(place=1.0)
    strong = weak.by(adjective=scenes.adjective(weak.subject.noun))
    bare = weakening.without_place(weak)
    crossed = bare.by(adjective=strong.subject.adjective)
    the = scenes.chance.random() < 0.5
    no = bare.but(negated=True) if the else bare.by(determiner="no")
    case = scenes.chance.choice(
        (
            Case(strong, bare, _E, _N),
            Case(strong, bare, _E, _N),
            Case(strong, no, _C, _C),
            Case(strong, no, _C, _C),
            Case(weak, crossed, _N, _N),
        )
    )
    if not the:
        return case
    premise, hypothesis = (clause.by(determiner="the") for clause in case[:2])
    return case._replace(premise=premise, hypothesis=hypothesis)


CONSTRUCTIONS: Mapping[str, Construction] = MappingProxyType(
    {
        "adjective": partial(edited, weakening.adjective),
        "accessory": partial(edited, weakening.accessory),
        "hypernym": partial(edited, weakening.hypernym),
        "object_adjective": partial(edited, weakening.object_adjective),
        "object_hypernym": partial(edited, weakening.object_hypernym),
        "verb_hypernym": partial(edited, weakening.verb_hypernym),
        "place": partial(edited, weakening.place),
        "two_edits": two_edits,
        "negation": logical.negation,
        "existential": logical.existential,
        "quantifier": logical.quantifier,
        "number": logical.number,
        "passive": logical.passive,
        "role_swap": logical.role_swap,
        "joined_subjects": joining.joined_subjects,
        "joined_verbs": joining.joined_verbs,
        "joined_objects": joining.joined_objects,
        "synonym": lexical.synonym,
        "opposite_verb": lexical.opposite_verb,
        "opposite_quality": lexical.opposite_quality,
        "another_thing": lexical.another_thing,
        "unrelated": lexical.unrelated,
    }
)
"""By name; see each one's docstring."""
