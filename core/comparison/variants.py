"""Twenty like it: a pair's words exchanged for others of their class, in the same form, in both sentences alike.

One pair is an anecdote. Which words may stand for each other is a small lexicon of our own (`data/lexicon`); words it
does not list, function words above all, stay. A word that the sentences do not share changes only together with its
counterpart, when both are forms of one entry (*laughs / laugh*).
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.comparison.typed import Pair
from core.errors import InputError
from core.settings import ROOT

LEXICON = ROOT / "data" / "lexicon" / "english.toml"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_VOWELS = frozenset("aeiou")
_BEFORE_PARTICIPLE = frozenset({"have", "has", "had", "having", "is", "are", "was", "were", "be", "been", "being"})
_PARTICIPLE = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of the lexicon: the class it can be exchanged in, and its forms."""

    group: str
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Slot:
    """A word that can be exchanged: its entry, and where its forms stand in A and in B."""

    entry: Entry
    form_a: int
    form_b: int
    places_a: tuple[int, ...]
    places_b: tuple[int, ...]


@lru_cache(maxsize=4)
def lexicon(path: Path = LEXICON) -> Mapping[str, tuple[Entry, ...]]:
    """Group to its entries. A group is named `nouns.person`, `verbs.sound`, ..."""
    parts = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        f"{part}.{name}": tuple(Entry(f"{part}.{name}", tuple(line.split())) for line in lines)
        for part, groups in parts.items()
        for name, lines in groups.items()
        if name != "forms"
    }


def variants(pair: Pair, number: int = 20) -> list[Pair]:
    """Up to `number` distinct pairs like this one, always the same. Raises InputError if no word is known."""
    slots = _slots(pair)
    if not slots:
        raise InputError(
            "None of these words is in the lexicon, so there is nothing to exchange. It knows common English nouns, "
            "verbs and adjectives, such as man, letter, laughs or tired."
        )
    chance = random.Random("\n".join(pair))
    found: dict[Pair, None] = {}
    for _ in range(number * 50):
        if len(found) == number:
            break
        candidate = _exchanged(pair, slots, chance)
        if candidate != pair and (candidate[0] != candidate[1] or pair[0] == pair[1]):
            found.setdefault(candidate)
    return list(found)


def _slots(pair: Pair) -> list[_Slot]:
    words_a, words_b = ([match.group().lower() for match in _WORD.finditer(text)] for text in pair)
    slots: list[_Slot] = []
    for entry in (entry for entries in lexicon().values() for entry in entries):
        forms_a, forms_b = _forms(entry, words_a), _forms(entry, words_b)
        one_form_each = len(set(forms_a.values())) == len(set(forms_b.values())) == 1
        if one_form_each and not any(forms_a.keys() & set(slot.places_a) for slot in slots):
            form_a, form_b = next(iter(forms_a.values())), next(iter(forms_b.values()))
            slots.append(_Slot(entry, form_a, form_b, tuple(forms_a), tuple(forms_b)))
    return slots


def _forms(entry: Entry, words: Sequence[str]) -> dict[int, int]:
    """Where the entry stands in a text, and in which form: after *had* a participle, elsewhere no participle."""
    found = {}
    for place, word in enumerate(words):
        forms = [number for number, form in enumerate(entry.forms) if form.lower() == word]
        if _PARTICIPLE in forms:
            after_auxiliary = place > 0 and words[place - 1] in _BEFORE_PARTICIPLE
            forms = [_PARTICIPLE] if after_auxiliary else forms[:-1]
        if len(forms) == 1:
            found[place] = forms[0]
    return found


def _exchanged(pair: Pair, slots: list[_Slot], chance: random.Random) -> Pair:
    """The pair with another entry in every slot; no entry twice, and none that is in the pair already."""
    new_a: dict[int, str] = {}
    new_b: dict[int, str] = {}
    taken = {slot.entry for slot in slots}
    for slot in slots:
        free = [entry for entry in lexicon()[slot.entry.group] if entry not in taken and _same_sound(entry, slot)]
        if not free:
            continue
        entry = chance.choice(free)
        taken.add(entry)
        new_a |= dict.fromkeys(slot.places_a, entry.forms[slot.form_a])
        new_b |= dict.fromkeys(slot.places_b, entry.forms[slot.form_b])
    return _written(pair[0], new_a), _written(pair[1], new_b)


def _same_sound(entry: Entry, slot: _Slot) -> bool:
    """Whether *a* or *an* before the word can stay as it is."""
    old, new = slot.entry.forms[slot.form_a][0].lower(), entry.forms[slot.form_a][0].lower()
    return (old in _VOWELS) == (new in _VOWELS)


def _written(text: str, new: Mapping[int, str]) -> str:
    """The text with its n-th words exchanged; a capital stays a capital."""
    parts, end = [], 0
    for number, match in enumerate(_WORD.finditer(text)):
        word = new.get(number, match.group())
        parts += [text[end : match.start()], word[0].upper() + word[1:] if match.group()[0].isupper() else word]
        end = match.end()
    return "".join([*parts, text[end:]])
