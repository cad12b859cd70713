"""Noun phrases whose parts agree, and subjects: phrases, names, pronouns.

Prepositions and articles stand apart (*de o*); `workshop.everyday.sentences` contracts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from workshop.everyday.words import Noun, words

DETERMINERS = {
    "the": ("o", "a", "os", "as"), "a": ("um", "uma", "uns", "umas"), "this": ("este", "esta", "estes", "estas"),
    "that": ("esse", "essa", "esses", "essas"), "yonder": ("aquele", "aquela", "aqueles", "aquelas"),
    "my": ("meu", "minha", "meus", "minhas"), "our": ("nosso", "nossa", "nossos", "nossas"),
    "the my": ("o meu", "a minha", "os meus", "as minhas"), "her": ("seu", "sua", "seus", "suas"),
    "another": ("outro", "outra", "outros", "outras"), "all": ("todo o", "toda a", "todos os", "todas as"),
    "many": ("muito", "muita", "muitos", "muitas"), "two": ("dois", "duas", "dois", "duas"),
    "some": ("algum", "alguma", "alguns", "algumas"), "several": ("vários", "várias", "vários", "várias"),
    "three": ("três",) * 4, "four": ("quatro",) * 4, "five": ("cinco",) * 4, "each": ("cada",) * 4,
    "few": ("pouco", "pouca", "poucos", "poucas"),
}  # fmt: skip
SINGULAR = (
    ("the",) * 12
    + ("a",) * 4
    + ("this", "that", "that", "yonder", "my", "my", "our", "the my", "her", "another", "each")
)
PLURAL = (
    ("the",) * 12 + ("this", "that", "that", "yonder", "my", "my", "our", "the my", "her", "all", "many")
    + ("two", "two", "three", "four", "five", "some", "several", "few", "another", "a")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase, its person (1s, 3s, 1p, 3p) and its gender; `human` for people, `pronoun` for pronouns."""

    text: str
    person: str
    gender: str
    human: bool = True
    pronoun: bool = False

    @property
    def plural(self) -> bool:
        return self.person.endswith("p")

    def agreeing(self, forms: tuple[str, ...]) -> str:
        """The form (m sg, f sg, m pl, f pl) that agrees."""
        return forms[2 * self.plural + (self.gender == "f")]


PRONOUNS = (
    *(Phrase(text, "1s", gender, pronoun=True) for text in ("eu",) * 3 for gender in "mf"),
    *(Phrase("você", "3s", gender, pronoun=True) for gender in "mf"),
    *(
        Phrase(text, "3s", gender, pronoun=True)
        for text, gender in (("ele", "m"), ("ela", "f"), ("ele", "m"), ("ela", "f"))
    ),
    Phrase("a gente", "3s", "m", pronoun=True),
    *(Phrase(text, "1p", gender, pronoun=True) for text in ("nós",) * 3 for gender in "mf"),
    *(Phrase("vocês", "3p", gender, pronoun=True) for gender in "mf"),
    *(Phrase(text, "3p", gender, pronoun=True) for text, gender in (("eles", "m"), ("elas", "f"))),
)


def noun_phrase(random: Random, *classes: str, plural: bool | None = None, modified: float = 0.25) -> Phrase:
    """A determiner, a noun of one of the classes and, with this probability, an adjective."""
    kind = random.choice(classes)
    return of_noun(random, random.choice(words().nouns[kind]), kind, plural, modified)


def of_noun(random: Random, noun: Noun, kind: str, plural: bool | None = None, modified: float = 0.25) -> Phrase:
    """The same with a given noun."""
    many = kind != "stuff" and (random.random() < 0.45 if plural is None else plural)
    phrase = Phrase("", "3p" if many else "3s", noun.gender, kind == "people")
    determiner = DETERMINERS[random.choice(PLURAL if many else SINGULAR)]
    said = f"{phrase.agreeing(determiner)} {noun.form(many)}"
    if random.random() < modified:
        said += f" {phrase.agreeing(adjective(random, kind))}"
    return Phrase(said, phrase.person, phrase.gender, phrase.human)


def adjective(random: Random, kind: str) -> tuple[str, ...]:
    """An adjective that can stand beside a noun of this class."""
    known = words().adjectives
    return random.choice({"people": known["person"], "events": known["event"]}.get(kind, known["quality"]))


def name(random: Random) -> Phrase:
    """*Ana*, *o João*."""
    gender = random.choice("mf")
    said = random.choice(words().names[gender])
    return Phrase(f"{'o' if gender == 'm' else 'a'} {said}" if random.random() < 0.3 else said, "3s", gender)


def with_complement(random: Random, head: Phrase, *classes: str) -> Phrase:
    """The head with *de* and a second noun of either number: *a irmã dos meninos*."""
    other = noun_phrase(random, *classes, modified=0.1)
    return Phrase(f"{head.text} de {other.text}", head.person, head.gender, head.human)


def joined(random: Random) -> Phrase:
    """Two people: *Ana e o irmão*, *meu pai e eu*."""
    first = name(random) if random.random() < 0.5 else noun_phrase(random, "people", plural=False, modified=0)
    if random.random() < 0.35:
        return Phrase(f"{first.text} e eu" if random.random() < 0.5 else f"eu e {first.text}", "1p", "m")
    second = name(random) if random.random() < 0.5 else noun_phrase(random, "people", plural=False, modified=0)
    return Phrase(f"{first.text} e {second.text}", "3p", "f" if first.gender == second.gender == "f" else "m")


def place(random: Random) -> str:
    """Where: *em a cozinha*, *em casa*, *perto de a escola*."""
    if random.random() < 0.12:
        return random.choice(("em casa", "lá fora", "aqui", "aqui perto", "longe daqui", "lá embaixo"))
    where = noun_phrase(random, "places", plural=random.random() < 0.1, modified=0.12).text
    return f"{random.choice(('em', 'em', 'em', 'em', 'perto de', 'atrás de', 'ao lado de', 'em frente a'))} {where}"
