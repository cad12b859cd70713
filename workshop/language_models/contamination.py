"""Keep the nouns and participles of the French agreement set from meeting in training text.

A model that has read *les lettres qu'il a reçues* may choose the plural there from memory. So no sentence is trained
on in which a noun of the set (*lettre, lettres*) is followed by *que*, a form of *avoir* and, in any gender and
number, a participle that the set pairs with this noun. Whatever stands between them, and whether the writer made the
participle agree, does not matter, as long as no mark of `; : ! ?` parts them (a full stop inside a sentence is that
of *M.*).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pairlens.training.packing import open_lines
from workshop.evaluation_sets import FOLDERS

TABLE = FOLDERS["object_participle"] / "object_participle.tab"

WORDS = re.compile(r"[^\W\d_]+")
PARTS = re.compile(r"[;:!?]")
QUE = frozenset(("que", "qu"))
AVOIR = re.compile(
    r"a|ai|as|av(?:ons|ez|oir)|ont|a(?:it|ie|ies|ient|yons|yez|yant)|(?:av|aur)(?:ais|ait|ions|iez|aient)"
    r"|aur(?:ai|as|a|ons|ez|ont)|eu[st]|eû(?:t|mes|tes)|eurent|euss(?:e|es|ions|iez|ent)"
)


@dataclass(frozen=True)
class Contamination:
    """Which participle forms may not follow which noun forms within a relative clause."""

    participles: Mapping[str, frozenset[str]]

    def forbids(self, sentence: str) -> bool:
        """True when a noun, *que*, a form of *avoir* and a participle of that noun follow each other."""
        text = sentence.lower()
        if "qu" not in text:
            return False
        return any(self._holds_a_pair(WORDS.findall(part)) for part in PARTS.split(text))

    def _holds_a_pair(self, words: list[str]) -> bool:
        """Whether these words, in one pass, go from a noun over *que* and *avoir* to its participle."""
        nouns: frozenset[str] = frozenset()
        relative: frozenset[str] = frozenset()
        ready: frozenset[str] = frozenset()
        for word in words:
            if word in ready:
                return True
            if word in self.participles:
                nouns |= self.participles[word]
            elif word in QUE:
                relative = nouns
            elif relative and AVOIR.fullmatch(word):
                ready = relative
        return False


def contamination(table: Path = TABLE) -> Contamination:
    """Build the filter from the columns `antecedent` and `form` of an agreement set's table."""
    found: dict[str, set[str]] = {}
    for row in csv.DictReader(open_lines(table), delimiter="\t"):
        found.setdefault(row["antecedent"], set()).update(participle_forms(row["form"], row["gender"]))
    return Contamination({noun: frozenset(forms) for noun, forms in found.items()})


def participle_forms(form: str, gender: str) -> tuple[str, ...]:
    """All forms of a participle: *reçues* (f) gives *reçu, reçue, reçus, reçues*; *prise* gives *pris* once."""
    singular = form.removesuffix("s")
    stem = singular.removesuffix("e") if gender == "f" else singular
    plural = stem if stem.endswith("s") else stem + "s"
    return tuple(dict.fromkeys((stem, stem + "e", plural, stem + "es")))
