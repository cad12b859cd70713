"""Twenty like it: a pair's words exchanged for others of their class, in the same form, in both sentences alike.

One pair is an anecdote. Which words may stand for each other is said by the lexicon of the pair's language
(`core.text.lexicon`); words it does not list stay, and so do function words. A word that the sentences do not share
changes only together with its counterpart, when both are forms of one entry (*laughs / laugh*).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.studies.compare.typed import Pair
from core.text.lexicon import Entry, Lexicon, lexicons
from core.text.spelling import opens_with_vowel

_LETTERS = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_WORD = re.compile(_LETTERS)
_FRENCH_WORD = re.compile(rf"(?:\b(?:[cdjlmnst]|qu)['’])|{_LETTERS}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Slot:
    """A word that can be exchanged: its entry, and where its forms stand in A and in B."""

    entry: Entry
    form_a: int
    form_b: int
    places_a: tuple[int, ...]
    places_b: tuple[int, ...]


def variants(pair: Pair, number: int = 20) -> list[Pair]:
    """Up to `number` distinct pairs like this one, always the same. Raises InputError if no word is known."""
    lexicon = _lexicon_of(pair)
    slots = _slots(pair, lexicon)
    if not slots:
        raise InputError(
            "None of these words is in the lexicon, so there is nothing to exchange. It knows common nouns, verbs "
            "and adjectives of English, French and Portuguese, such as man, letter, laughs or tired."
        )
    chance = random.Random("\n".join(pair))
    found: dict[Pair, None] = {}
    for _ in range(number * 50):
        if len(found) == number:
            break
        candidate = _exchanged(pair, slots, lexicon, chance)
        if candidate != pair and (candidate[0] != candidate[1] or pair[0] == pair[1]):
            found.setdefault(candidate)
    return list(found)


def _lexicon_of(pair: Pair) -> Lexicon:
    """The lexicon that knows most of the pair's words; the first of those that know equally many."""

    def known(lexicon: Lexicon) -> int:
        return sum(word in lexicon.words for text in pair for word in _words(text, lexicon.language))

    return max(lexicons().values(), key=known)


def _words(text: str, language: str) -> list[str]:
    return [match.group().lower() for match in _pattern(language).finditer(text)]


def _pattern(language: str) -> re.Pattern[str]:
    """What a word is: in French also what is elided before another (*l'*)."""
    return _FRENCH_WORD if language == "fr" else _WORD


def _slots(pair: Pair, lexicon: Lexicon) -> list[_Slot]:
    words_a, words_b = (_words(text, lexicon.language) for text in pair)
    auxiliaries = {form for entry in lexicon.entries if entry.path[0] == "auxiliary" for form in entry.forms}
    slots: list[_Slot] = []
    for entry in (entry for entry in lexicon.entries if entry.is_open):
        forms_a, forms_b = _forms(entry, words_a, auxiliaries), _forms(entry, words_b, auxiliaries)
        one_form_each = len(set(forms_a.values())) == len(set(forms_b.values())) == 1
        if one_form_each and not any(forms_a.keys() & set(slot.places_a) for slot in slots):
            form_a, form_b = next(iter(forms_a.values())), next(iter(forms_b.values()))
            slots.append(_Slot(entry, form_a, form_b, tuple(forms_a), tuple(forms_b)))
    return slots


def _forms(entry: Entry, words: Sequence[str], auxiliaries: set[str]) -> dict[int, int]:
    """Where the entry stands in a text, and in which form: after *had* a participle, elsewhere no participle."""
    participles = {number for number, features in enumerate(entry.features) if "participle" in features}
    found = {}
    for place, word in enumerate(words):
        forms = {number for number, form in enumerate(entry.forms) if form.lower() == word}
        if len(forms) > 1:
            forms = forms & participles if place > 0 and words[place - 1] in auxiliaries else forms - participles
        if len(forms) == 1:
            found[place] = forms.pop()
    return found


def _exchanged(pair: Pair, slots: list[_Slot], lexicon: Lexicon, chance: random.Random) -> Pair:
    """The pair with another entry in every slot; no entry twice, and none that is in the pair already."""
    new_a: dict[int, str] = {}
    new_b: dict[int, str] = {}
    taken = {slot.entry for slot in slots}
    for slot in slots:
        group = (entry for entry in lexicon.entries if entry.path == slot.entry.path and entry not in taken)
        free = [entry for entry in group if _same_sound(entry, slot, lexicon.language)]
        if not free:
            continue
        entry = chance.choice(free)
        taken.add(entry)
        new_a |= dict.fromkeys(slot.places_a, entry.forms[slot.form_a])
        new_b |= dict.fromkeys(slot.places_b, entry.forms[slot.form_b])
    return _written(pair[0], new_a, lexicon.language), _written(pair[1], new_b, lexicon.language)


def _same_sound(entry: Entry, slot: _Slot, language: str) -> bool:
    """Whether the word before it can stay as it is (*a* or *an*, *le* or *l'*)."""
    old, new = slot.entry.forms[slot.form_a], entry.forms[slot.form_a]
    return opens_with_vowel(old, language) == opens_with_vowel(new, language)


def _written(text: str, new: Mapping[int, str], language: str) -> str:
    """The text with its n-th words exchanged; a capital stays a capital."""
    parts, end = [], 0
    for number, match in enumerate(_pattern(language).finditer(text)):
        word = new.get(number, match.group())
        parts += [text[end : match.start()], word[0].upper() + word[1:] if match.group()[0].isupper() else word]
        end = match.end()
    return "".join([*parts, text[end:]])
