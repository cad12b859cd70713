"""Forms of Portuguese verbs: regular ones from the infinitive, others from the forms that words.toml gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

PERSONS = ("1s", "3s", "1p", "3p")
"""*Você* and *a gente* are 3s, *vocês* is 3p."""

_PRESENT = {"a": "o a amos am", "e": "o e emos em", "i": "o e imos em"}
_PAST = {"a": "ei ou amos aram", "e": "i eu emos eram", "i": "i iu imos iram"}
_IMPERFECT = {"a": "ava ava ávamos avam", "e": "ia ia íamos iam", "i": "ia ia íamos iam"}
_BEFORE_E = (("c", "qu"), ("g", "gu"), ("ç", "c"))
_BEFORE_A = (("gu", "g"), ("c", "ç"), ("g", "j"))
_ACCENTS = str.maketrans("aeio", "áéíô")


@dataclass(frozen=True, slots=True)
class Verb:
    """`tenses` has four forms each, by person; `participle` is the masculine one."""

    infinitive: str
    tenses: Mapping[str, tuple[str, ...]]
    participle: str

    def form(self, tense: str, person: str) -> str:
        """`tense`: present, past, imperfect, subjunctive, past subjunctive or future subjunctive."""
        return self.tenses[tense][PERSONS.index(person)]


def conjugated(entry: str) -> Verb:
    """A verb of words.toml.

    After the infinitive an irregular verb has groups of forms: four of the present, four of the past, the participle,
    four of the imperfect, four of the subjunctive; a group that is missing or `-` is regular.

    >>> conjugated("chegar").form("subjunctive", "3p")
    'cheguem'
    >>> conjugated("fazer: faço faz fazemos fazem; fiz fez fizemos fizeram; feito").form("past subjunctive", "1p")
    'fizéssemos'
    """
    infinitive, _, rest = entry.partition(":")
    groups = [group.split() for group in rest.split(";")] if rest else []
    given = [tuple(group) if group not in ([], ["-"]) else () for group in (*groups, [], [], [], [], [])]
    stem, vowel = infinitive[:-2], infinitive[-2].replace("ô", "e")
    ends = {name: table[vowel].split() for name, table in (("p", _PRESENT), ("t", _PAST), ("i", _IMPERFECT))}
    soft = _before(stem, _BEFORE_E if vowel == "a" else _BEFORE_A)
    present = given[0] or tuple((soft if end == "o" and vowel != "a" else stem) + end for end in ends["p"])
    past = given[1] or tuple((soft if end == "ei" else stem) + end for end in ends["t"])
    regular = infinitive[-2:] == "er" and not given[1]
    return Verb(
        infinitive,
        {
            "present": present,
            "past": past,
            "imperfect": given[3] or tuple(stem + end for end in ends["i"]),
            "subjunctive": given[4] or _subjunctive(present[0], soft, vowel),
            **_from_past(past[3].removesuffix("ram"), "ê" if regular else ""),
        },
        given[2][0] if given[2] else stem + ("ado" if vowel == "a" else "ido"),
    )


def _before(stem: str, changes: tuple[tuple[str, str], ...]) -> str:
    """The stem as it is spelled before the other kind of vowel."""
    for old, new in changes:
        if stem.endswith(old):
            return stem.removesuffix(old) + new
    return stem


def _subjunctive(first: str, soft: str, vowel: str) -> tuple[str, ...]:
    """From the first person (*peço*: *peça*); verbs in -ar from their stem."""
    ends = "e e emos em" if vowel == "a" else "a a amos am"
    root = soft if vowel == "a" else first.removesuffix("o")
    return tuple(root + end for end in ends.split())


def _from_past(root: str, accent: str) -> dict[str, tuple[str, ...]]:
    """The two subjunctives that follow *eles fize(ram)*: *fizesse*, *fizer*."""
    stressed = root[:-1] + (accent or root[-1].translate(_ACCENTS))
    bare = re.sub("í$", "i", root)
    return {
        "past subjunctive": (f"{root}sse", f"{root}sse", f"{stressed}ssemos", f"{root}ssem"),
        "future subjunctive": (f"{bare}r", f"{bare}r", f"{bare}rmos", f"{root}rem"),
    }
