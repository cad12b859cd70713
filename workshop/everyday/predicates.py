"""What is said of a subject: a verb that agrees with it, and what belongs to the verb."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from workshop.everyday.conjugation import Verb
from workshop.everyday.phrases import Phrase, name, noun_phrase, place, with_complement
from workshop.everyday.words import words

REFLEXIVE = {"1s": "me", "3s": "se", "1p": "nos", "3p": "se"}
WITH = ("comigo", "conosco", "com ele", "com ela", "com você", "com eles", "contigo")
TO = ("mim", "ti", "ele", "ela", "nós", "você", "eles", "elas")
PREPOSITIONS = (
    ("gostar", "de"), ("precisar", "de"), ("cuidar", "de"), ("falar", "de"), ("morar", "com"), ("falar", "com"),
    ("sair", "com"), ("viajar", "com"), ("olhar", "para"), ("pensar", "em"), ("trabalhar", "com"),
    ("perguntar", "por"),
)  # fmt: skip
OBJECTS = ("o", "a", "os", "as", "me", "te", "nos")


@dataclass(frozen=True, slots=True)
class Say:
    """How a verb appears: in a tense and agreeing with a subject, or, without a tense, as the infinitive.

    `before` is what stands right before a finite verb and draws pronouns to it: *não*, *nunca*.
    """

    subject: Phrase
    tense: str = ""
    before: str = ""

    def __call__(self, verb: Verb, pronoun: str = "") -> str:
        if not self.tense:
            return _infinitive(verb.infinitive, pronoun)
        return " ".join(filter(None, (self.before, pronoun, verb.form(self.tense, self.subject.person))))


def _infinitive(infinitive: str, pronoun: str) -> str:
    """*vê-lo*, *ajudar-me*."""
    if pronoun in ("o", "a", "os", "as"):
        stem, vowel = infinitive[:-2], infinitive[-2]
        return f"{stem}{vowel.translate(str.maketrans('aeô', 'áêô'))}-l{pronoun}"
    return f"{pronoun} {infinitive}" if pronoun else infinitive


Predicate = Callable[[Random, Say], str]


def _verb(random: Random, kind: str) -> Verb:
    return random.choice(words().verbs[kind])


def _object(random: Random, kind: str) -> Phrase:
    classes = {
        "foods": ("foods", "foods", "stuff"),
        "opening": ("openings",),
        "people": ("people", "people", "animals"),
    }
    found = name(random) if kind == "people" and random.random() < 0.2 else None
    found = found or noun_phrase(random, *classes.get(kind, ("things", "things", "animals")))
    return with_complement(random, found, "people") if random.random() < 0.15 else found


def intransitive(random: Random, say: Say) -> str:
    """*dormiram em o hotel*, *corre devagar*."""
    said = say(_verb(random, "intransitive"))
    return f"{said} {place(random)}" if random.random() < 0.5 else _adjoined(random, said)


def transitive(random: Random, say: Say) -> str:
    """*comprou três livros*, *conhecemos a irmã de os meninos*; rarely *a* before people."""
    kind = random.choice(("things", "things", "foods", "people", "people", "opening"))
    object = _object(random, kind)
    to = "a " if kind == "people" and random.random() < 0.02 else ""
    return f"{say(_verb(random, kind))} {to}{object.text}"


def with_pronoun(random: Random, say: Say) -> str:
    """*o encontrou em a rua*, *ajudá-la*; nobody is both subject and object."""
    same = {"1s": ("me",), "1p": ("nos", "me")}.get(say.subject.person, ())
    pronoun = random.choice([one for one in OBJECTS if one not in same])
    kinds = ("people", "people", "things", "opening") if pronoun[0] in "oa" else ("people",)
    said = say(_verb(random, random.choice(kinds)), pronoun)
    return f"{said} {place(random)}" if random.random() < 0.5 else _adjoined(random, said)


def giving(random: Random, say: Say) -> str:
    """*deu um livro para mim*, *lhe mostrei as fotos*."""
    given = noun_phrase(random, "things", "foods", modified=0.1).text
    if random.random() < 0.5:
        people = name(random) if random.random() < 0.3 else noun_phrase(random, "people", modified=0.1)
        to = random.choice(TO) if random.random() < 0.4 else people.text
        return f"{say(_verb(random, 'giving'))} {given} {random.choice(('para', 'para', 'a'))} {to}"
    pronoun = random.choice(
        [one for one in ("me", "te", "lhe", "nos", "lhes") if one != REFLEXIVE[say.subject.person]]
    )
    return f"{say(_verb(random, 'giving'), pronoun)} {given}"


def with_preposition(random: Random, say: Say) -> str:
    """*gosta de a sopa*, *moram comigo*."""
    verb, preposition = random.choice(PREPOSITIONS)
    known = {one.infinitive: one for one in words().verbs["prepositional"]}
    if preposition == "com" and random.random() < 0.35:
        return f"{say(known[verb])} {random.choice(WITH)}"
    if random.random() < 0.2:
        return f"{say(known[verb])} {preposition} {'a gente' if preposition == 'com' else random.choice(TO)}"
    people = preposition in ("com", "por")
    kinds = ("people", "people", "animals") if people else ("people", "things", "animals", "foods")
    return f"{say(known[verb])} {preposition} {noun_phrase(random, *kinds).text}"


def reflexive(random: Random, say: Say) -> str:
    """*nos levantamos cedo*, *se esqueceu de a chave*."""
    verb = _verb(random, "reflexive")
    said = say(verb, REFLEXIVE[say.subject.person])
    if verb.infinitive in ("arrepender", "queixar", "esquecer", "lembrar", "despedir", "aproximar", "afastar"):
        return f"{said} de {noun_phrase(random, 'people', 'things', 'events').text}"
    return f"{said} {place(random)}" if random.random() < 0.6 else _adjoined(random, said)


def quality(random: Random, say: Say) -> str:
    """*ser* with what lasts, *estar* and its like with what passes; the adjective agrees with the subject."""
    known = words()
    if random.random() < 0.35:
        verb, adjectives = known.verb("ser"), known.adjectives["person"]
    else:
        verb = known.verb(random.choice(("estar", "estar", "estar", "ficar", "ficar", "parecer", "andar")))
        adjectives = known.adjectives["state"]
    very = random.choice(("muito ", "tão ", "bem ", "")) if random.random() < 0.4 else ""
    return f"{say(verb)} {very}{say.subject.agreeing(random.choice(adjectives))}"


def arriving(random: Random, say: Say) -> str:
    """*voltou cansada*: an adjective after a verb of motion."""
    infinitive = random.choice(("voltar", "chegar", "sair", "acordar", "dormir", "entrar", "morar", "viver"))
    (verb,) = (one for one in words().verbs["intransitive"] if one.infinitive == infinitive)
    state = words().adjectives["state"]
    alone = next(forms for forms in state if forms[0] == "sozinho")
    chosen = alone if infinitive in ("morar", "viver") else random.choice(state)
    return f"{say(verb)} {say.subject.agreeing(chosen)}"


def being(random: Random, say: Say) -> str:
    """*é de uma cidade pequena*, *tem dois irmãos*, *vai a o mercado*."""
    known, choice = words(), random.random()
    if choice < 0.3:
        where = noun_phrase(random, "places", plural=False).text
        return f"{say(known.verb('ir'))} {random.choice(('a', 'a', 'para'))} {where}"
    if choice < 0.6:
        what = random.choice(known.phrases["had"])
        owned = noun_phrase(random, "people", "things", "animals", modified=0.3).text
        return f"{say(known.verb('ter'))} {what if random.random() < 0.4 else owned}"
    if choice < 0.8:
        return f"{say(known.verb('estar'))} {place(random)}"
    return f"{say(known.verb('ser'))} de {noun_phrase(random, 'places', plural=False).text}"


def modal(random: Random, say: Say) -> str:
    """A modal verb and an infinitive: *podem nos ajudar*, *quer vendê-lo*."""
    known = words()
    infinitive = random.choice((intransitive, transitive, transitive, with_pronoun, with_pronoun, giving, reflexive))
    verb = known.verb(
        random.choice(("poder", "poder", "querer", "querer", "precisar", "dever", "ir", "ir", "ir", "saber"))
    )
    return f"{say(verb)} {infinitive(random, Say(say.subject))}"


PREDICATES: tuple[Predicate, ...] = (
    *(intransitive,) * 3, *(transitive,) * 4, with_pronoun, with_pronoun, giving, giving, with_preposition,
    with_preposition, reflexive, reflexive, *(quality,) * 3, arriving, being, being, *(modal,) * 3,
)  # fmt: skip


def predicate(random: Random, say: Say) -> str:
    """A predicate for a subject that is a person."""
    return random.choice(PREDICATES)(random, say)


def of_thing(random: Random, say: Say, kind: str) -> str:
    """A predicate for a subject of another class: *está vazia*, *foi aberta*, *custou caro*, *começa cedo*."""
    known, choice = words(), random.random()
    if kind == "animals":
        return random.choice((intransitive, quality, arriving))(random, say)
    if kind in ("events", "vehicles") and choice < 0.6:
        said = say(_verb(random, "lasting" if kind == "events" else "driving"))
        return f"{said} {random.choice(known.phrases['event_manner'])}"
    if kind == "events":
        return _being(random, say, ("ser", "ser", "ser", "parecer"), "event")
    if choice < 0.3:
        made = random.choice(known.verbs["made"]).participle[:-1]
        by = f" por {noun_phrase(random, 'people').text}" if random.random() < 0.4 else ""
        be = say(known.verb(random.choice(("ser", "ser", "estar"))))
        return f"{be} {say.subject.agreeing(tuple(made + end for end in ('o', 'a', 'os', 'as')))}{by}"
    if choice < 0.55:
        return _being(random, say, ("estar", "estar", "ficar", "parecer"), "condition")
    if choice < 0.8:
        very = random.choice(("muito ", "tão ", "bem ", "", "")) if random.random() < 0.5 else ""
        return f"{say(known.verb('ser'))} {very}{say.subject.agreeing(random.choice(known.adjectives['quality']))}"
    if choice < 0.9:
        return f"{say(known.verb('estar'))} {place(random)}"
    verb = _verb(random, "happening")
    return f"{say(verb)} {'caro' if verb.infinitive == 'custar' else place(random)}"


def _being(random: Random, say: Say, verbs: tuple[str, ...], adjectives: str) -> str:
    """A copula and an adjective of a class that agrees with the subject."""
    said = say(words().verb(random.choice(verbs)))
    return f"{said} {say.subject.agreeing(random.choice(words().adjectives[adjectives]))}"


def _adjoined(random: Random, said: str) -> str:
    return f"{said} {random.choice(words().phrases['manner'])}" if random.random() < 0.5 else said
