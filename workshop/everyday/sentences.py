"""Whole sentences, with the mood that each clause needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from pairlens.text.spelling import spell
from workshop.everyday.phrases import (
    DETERMINERS,
    PRONOUNS,
    Phrase,
    joined,
    name,
    noun_phrase,
    of_noun,
    place,
    with_complement,
)
from workshop.everyday.predicates import Say, of_thing, predicate
from workshop.everyday.words import words

APPEARING = (
    ("falta", "faltam"), ("sobrou", "sobraram"), ("chegou", "chegaram"), ("apareceu", "apareceram"),
    ("caiu", "caíram"),
)  # fmt: skip
THINGS = ("things", "things", "foods", "stuff", "parts", "openings", "places", "vehicles", "events", "animals")


def anyone(random: Random) -> Phrase:
    """A person, or some, as a subject."""
    choice = random.random()
    if choice < 0.38:
        return random.choice(PRONOUNS)
    if choice < 0.5:
        return name(random)
    if choice < 0.58:
        return joined(random)
    head = noun_phrase(random, "people", modified=0.15)
    if choice < 0.72:
        return with_complement(random, head, "people", "places", "things")
    return with_relative(random, head) if choice < 0.86 else head


def with_relative(random: Random, head: Phrase) -> Phrase:
    """*o homem que vende os jornais*, *as cartas que o menino perdeu*."""
    tense = random.choice(("present", "past", "past", "imperfect"))
    if head.human:
        said = predicate(random, Say(head, tense, random.choice(("", "", "", "não"))))
    else:
        who = anyone_simple(random)
        said = f"{who.text} {random.choice(words().verbs['things']).form(tense, who.person)}"
    return Phrase(f"{head.text} que {said}", head.person, head.gender, head.human)


def anyone_simple(random: Random) -> Phrase:
    """A subject without a clause in it."""
    choice = random.random()
    if choice < 0.35:
        return random.choice(PRONOUNS)
    return name(random) if choice < 0.5 else noun_phrase(random, "people", modified=0.1)


def something(random: Random) -> tuple[Phrase, str]:
    """A thing, an animal or an event as a subject, and its class."""
    kind = random.choice(THINGS)
    head = of_noun(random, random.choice(words().nouns[kind]), kind, modified=0.12)
    choice = random.random()
    if kind == "parts" or choice < 0.25:
        head = with_complement(random, head, "people", "things", "places")
    elif choice < 0.4 and kind in ("things", "foods", "stuff", "animals"):
        head = with_relative(random, head)
    return head, kind


def clause(random: Random, tense: str, *, negated: float = 0.12, simple: bool = False) -> str:
    """Subject and predicate in a tense."""
    before = _said(random, "negations") if random.random() < negated else ""
    if random.random() < 0.72:
        subject = anyone_simple(random) if simple else anyone(random)
        said = predicate(random, Say(subject, tense, before))
        dropped = subject.pronoun and subject.person in ("1s", "1p") and random.random() < 0.3
        return said if dropped else f"{subject.text} {said}"
    subject, kind = something(random)
    return f"{subject.text} {of_thing(random, Say(subject, tense, before), kind)}"


def statement(random: Random) -> str:
    """One clause, often with a time that goes with its tense."""
    tense = random.choice(("present", "present", "past", "past", "past", "imperfect"))
    said = clause(random, tense)
    when = _said(random, "time" if tense == "past" else "habit") if random.random() < 0.35 else ""
    if when and random.random() < 0.2 and when not in ("muito", "pouco", "bem"):
        return f"{when} {said}"
    return f"{said} {when}"


def indicative(random: Random) -> str:
    """What is known or said: *sei que ...*, *porque ...*."""
    if random.random() < 0.5:
        opening, tense = _said(random, "knowing"), random.choice(("present", "present", "past"))
    else:
        opening, tense = _said(random, "knew"), random.choice(("imperfect", "past"))
    said = f"{opening} {clause(random, tense)}"
    if opening == "porque":
        return f"{clause(random, tense)} {said}"
    return f"{said}, {clause(random, tense, simple=True)}" if opening in ("já que", "como") else said


def subjunctive(random: Random) -> str:
    """What is wanted or doubted: *quero que ...*, *embora ...*."""
    if random.random() >= 0.55:
        return f"{_said(random, 'wanted')} {clause(random, 'past subjunctive')}"
    opening = _said(random, "wanting")
    said = f"{opening} {clause(random, 'subjunctive')}"
    if opening in ("embora", "mesmo que", "ainda que", "caso"):
        return f"{said}, {clause(random, 'present', simple=True)}"
    return said


def linked(random: Random) -> str:
    """Conditions, purposes and times."""
    who = anyone_simple(random)
    then = f"{who.text} {words().verb('ir').form('present', who.person)} {predicate(random, Say(who))}"
    choice = random.random()
    if choice < 0.3:
        return f"{_said(random, 'if_will')} {clause(random, 'future subjunctive', simple=True)}, {then}"
    if choice < 0.5:
        return f"se {clause(random, 'past subjunctive', simple=True)}, {_said(random, 'if_then')}"
    if choice < 0.7:
        opening = _said(random, "so_that")
        return f"{clause(random, 'present')} {opening} {clause(random, 'subjunctive', simple=True)}"
    if choice < 0.9:
        opening = _said(random, "linking")
        first = clause(random, "past")
        return f"{first} {opening} {clause(random, random.choice(('past', 'imperfect')), simple=True)}"
    return f"{_said(random, 'once')} {clause(random, 'imperfect')}"


def question(random: Random) -> str:
    """To or about others: *vocês ...?*, *quantas cartas ...?*, *essa mala é sua?*."""
    who = random.choice([one for one in PRONOUNS if one.person.startswith("3")])
    choice = random.random()
    if choice < 0.5:
        return f"{who.text} {predicate(random, Say(who, _past_or_present(random)))}?"
    if choice < 0.7:
        asked, verb = _said(random, "asking"), random.choice(words().verbs["intransitive"])
        return f"{asked} {who.text} {verb.form(_past_or_present(random), who.person)}?"
    noun = random.choice(words().nouns[random.choice(("things", "people", "foods"))])
    if choice < 0.85:
        many, verb = "quantos" if noun.gender == "m" else "quantas", random.choice(words().verbs["things"])
        return f"{many} {noun.plural} {who.text} {verb.form(_past_or_present(random), who.person)}?"
    which, plural = random.choice(
        (("that", False), ("this", False), ("yonder", False), ("that", True), ("yonder", True))
    )
    owned = Phrase("", "3p" if plural else "3s", noun.gender)
    forms = (owned.agreeing(DETERMINERS[one]) for one in (which, "her"))
    return " ".join((next(forms), noun.form(plural), "são" if plural else "é", next(forms))) + "?"


def existing(random: Random) -> str:
    """*há muitas pessoas em a praça*, *falta uma colher*, and what nobody or everybody does."""
    choice = random.random()
    if choice < 0.4:
        there = noun_phrase(random, "people", "things", "foods", "animals")
        return f"{random.choice(('há', 'havia', 'tem'))} {there.text} {place(random)}"
    if choice < 0.6:
        there = noun_phrase(random, "things", "foods", "people")
        return f"{random.choice(APPEARING)[there.plural]} {there.text}"
    nobody = Phrase(_said(random, "anybody"), "3s", "m")
    return f"{nobody.text} {predicate(random, Say(nobody, random.choice(('present', 'past', 'imperfect'))))}"


def _said(random: Random, kind: str) -> str:
    return random.choice(words().phrases[kind])


def _past_or_present(random: Random) -> str:
    return random.choice(("present", "past"))


KINDS: tuple[Callable[[Random], str], ...] = (
    *(statement,) * 6, indicative, indicative, subjunctive, subjunctive, linked, linked, question, existing,
)  # fmt: skip


def sentences(number: int, seed: int) -> Iterator[str]:
    """`number` sentences, the same for the same seed, with capitals and marks."""
    random = Random(seed)
    for _ in range(number):
        said = " ".join(random.choice(KINDS)(random).split()).replace(" a aquel", " àquel")
        yield spell(" ".join("{" + word + "}" for word in said.split()) + ("" if said.endswith("?") else "."), "pt")
