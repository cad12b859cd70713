"""Clauses in Portuguese, as written in Brazil; contractions (*no*, *pelas*) are made by `pairlens.text.spelling`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from workshop.nli_generator.clause import Clause, Phrase
from workshop.nli_generator.grammar import Grammar
from workshop.nli_generator.words import Adjective, Noun, Verb

NOBODY = "ninguém"
_NUMBERS = ("", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito")
_COMPARED = {"at least": "pelo menos", "exactly": "exatamente", "more than": "mais de", "fewer than": "menos de"}
_BE = {"present": ("está", "estão"), "simple": ("é", "são"), "was": ("estava", "estavam"), "past": ("foi", "foram")}
_IS = {"present": ("é", "são"), "simple": ("é", "são"), "was": ("era", "eram")}
_DETERMINERS = {
    "a": ("um", "uma"), "the": ("o", "a"), "no": ("nenhum", "nenhuma"), "every": ("todo", "toda"),
    "the pl": ("os", "as"), "some": ("alguns", "algumas"), "many": ("muitos", "muitas"),
    "all": ("todos os", "todas as"), "not all": ("nem todos os", "nem todas as"),
    "most": ("a maioria de os", "a maioria de as"), "several": ("vários", "várias"), "bare": ("", ""),
    "no pl": ("", ""), "pronoun": ("", ""), "group": ("um grupo de", "um grupo de"),
}  # fmt: skip


class Portuguese(Grammar):
    """Subject, auxiliary, verb, object; *não* before the auxiliary; participles and adjectives agree."""

    language = "pt"
    dressed_in_one = "pronoun"
    words_for: ClassVar[Mapping[str, str]] = {
        "with": "com", "and": "e", "or": "ou", "nor": "nem", "neither": "nem",
        "denied False": "não é verdade que", "denied True": "não era verdade que",
        "affirmed False": "é verdade que", "affirmed True": "era verdade que",
        "in False": "de", "in True": "de", "wearing False": "usando", "wearing True": "usando",
        "who False": "que está usando", "who True": "que estão usando",
    }  # fmt: skip

    def adjective(self, adjective: Adjective, noun: Noun, plural: bool) -> str:
        return adjective.forms[2 * plural + (noun.gender == "f")]

    def _determined(self, phrase: Phrase) -> str:
        noun = phrase.noun.plural if phrase.is_plural else phrase.noun.singular
        said = f"{_determiner(phrase)} {noun}"
        if phrase.adjective:
            said += f" {self.adjective(phrase.adjective, phrase.noun, phrase.is_plural)}"
        return said.strip()

    def _verb(self, clause: Clause) -> str:
        verbs = [clause.verb, *([clause.second] if clause.second else [])]
        tense, plural = clause.frame.tense, _is_plural(clause.subject)
        no = "não " if clause.negated or (clause.object and clause.object.link == "nor") else ""
        if tense == "past":
            return no + " e ".join(verb.past_plural if plural else verb.past for verb in verbs)
        if tense == "simple":
            return no + " e ".join(verb.present[plural] for verb in verbs)
        if tense == "future":
            return f"{no}{'vão' if plural else 'vai'} " + " e ".join(verb.base for verb in verbs)
        return f"{no}{_BE[tense][plural]} " + " e ".join(verb.progressive for verb in verbs)

    def _copula(self, clause: Clause) -> str:
        no, plural = "não " if clause.negated else "", _is_plural(clause.subject)
        lasting, tense = clause.quality is not None and clause.quality.lasting, clause.frame.tense
        if tense == "future":
            return f"{no}{'vão' if plural else 'vai'} {'ser' if lasting else 'estar'}"
        return no + (_IS if lasting else _BE)["was" if tense == "past" else tense][plural]

    def _passive(self, clause: Clause) -> str:
        assert clause.object is not None
        tense, plural = clause.frame.tense, _is_plural(clause.object)
        be = ("vão ser" if plural else "vai ser") if tense == "future" else _BE[tense][plural]
        being = " sendo" if tense in ("present", "was") else ""
        agent = "" if clause.agentless else f" por {self.phrase(clause.subject)}"
        no = "não " if clause.negated else ""
        done = _participle(clause.verb, clause.object.noun, plural)
        return f"{self.phrase(clause.object)} {no}{be}{being} {done}{agent}"

    def _existential(self, clause: Clause) -> str:
        none = clause.subject.determiner in ("no", "no pl") or clause.subject.noun.singular == NOBODY
        exists = f"{'não ' if none else ''}{'havia' if clause.frame.tense == 'was' else 'há'}"
        who = f"que {_BE['present'][_is_plural(clause.subject)]} " if clause.style == "who" else ""
        return f"{exists} {self.phrase(clause.subject)} {who}{self._doing(clause)}"


def _is_plural(phrase: Phrase) -> bool:
    """*A maioria dos homens está*: a majority is one."""
    alone = phrase.is_plural and phrase.determiner not in ("most", "group")
    return alone or (phrase.also is not None and phrase.link == "and")


def _participle(verb: Verb, noun: Noun, plural: bool) -> str:
    return verb.participle[:-1] + ("a" if noun.gender == "f" else "o") + ("s" if plural else "")


def _determiner(phrase: Phrase) -> str:
    feminine = phrase.noun.gender == "f"
    if phrase.determiner in _DETERMINERS:
        return _DETERMINERS[phrase.determiner][feminine]
    compared, number = phrase.determiner.rpartition(" ")[::2]
    said = "duas" if feminine and number == "2" else _NUMBERS[int(number)]
    return f"{_COMPARED[compared]} {said}" if compared else said


GRAMMAR = Portuguese()
