"""A second beginning for a typed one: one word exchanged, for one of the other number or gender or no licensor.

Words are those of `pairlens.text.lexicon`. A determiner right before a noun changes with it; where French or
Portuguese have none there that the lexicon knows, the noun is left alone. Nothing else agrees: a proposal is there to
be edited.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pairlens.text import n_shared
from pairlens.text.lexicon import DIMENSIONS, Entry, Features, Lexicon, exchanged, lexicon_of, lexicons, words_of
from pairlens.text.spelling import spell

NUMBER, GENDER, LICENSOR = ("number", "gender", "licensor")
_LICENSORS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {"no": "the", "nobody": "somebody", "never": "often", "few": "many"},
        "fr": {"aucun": "un", "aucune": "une", "jamais": "souvent"},
        "pt": {"nenhum": "um", "nenhuma": "uma", "ninguém": "alguém", "nunca": "sempre"},
    }
)
"""Words that license negative polarity items, and what stands in their place without doing so."""
_COMMON = frozenset({"the", "un", "une", "um", "uma", "many", "often", "souvent", "sempre"})
"""Words that mostly stand in nobody's place."""
_ELIDED = ("l'", "l’")
_ALIKE = 4
"""Letters in which a word and its counterpart of the other gender agree."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Another beginning, and what is different: its `number`, its `gender` or the `licensor`."""

    text: str
    changed: str


def proposals(beginning: str, language: str = "") -> list[Proposal]:
    """What the lexicon of a language, by default the beginning's, makes of it, the likeliest first; perhaps none."""
    lexicon = lexicons().get(language) or lexicon_of([beginning])
    words = words_of(beginning, lexicon.language)
    licensors = _LICENSORS[lexicon.language]
    swaps = {**licensors, **{other: word for word, other in licensors.items() if other not in _COMMON}}
    language, places = lexicon.language, (place for place, word in enumerate(words) if word in swaps)
    unlicensed = [exchanged(beginning, {place: swaps[words[place]]}, language) for place in places]
    changes = dict.fromkeys(unlicensed[:1], LICENSOR)
    for text, changed in (
        *_other_noun(beginning, words, lexicon, NUMBER),
        *_other_noun(beginning, words, lexicon, GENDER),
        *_other_pronoun(beginning, words, lexicon),
    ):
        changes.setdefault(text, changed)
    changes.pop(beginning, None)
    return [Proposal(text, changed) for text, changed in changes.items()]


def _other_noun(text: str, words: list[str], lexicon: Lexicon, dimension: str) -> Iterator[tuple[str, str]]:
    """The first noun in its other number, or a noun or name of its class that has the other gender."""
    nouns = [entry for entry in lexicon.entries if entry.path[0] in ("noun", "name")]
    for place, word in enumerate(words):
        for entry in nouns:
            forms = [form.lower() for form in entry.forms]
            if word not in forms:
                continue
            features = entry.features[forms.index(word)]
            new = _of_other_gender(entry, nouns, words) if dimension == GENDER else entry
            features = features if dimension == GENDER else _other(features, NUMBER)
            if new is None or features not in new.features:
                continue
            before = words[place - 1] if place else ""
            determiner = _determiner(before, features | new.gender, lexicon)
            if determiner or entry.path[0] == "name" or lexicon.language == "en":
                form = new.forms[new.features.index(features)]
                yield _spelled(text, {place - 1: determiner, place: form}, lexicon.language), dimension
                return


def _of_other_gender(entry: Entry, nouns: list[Entry], words: list[str]) -> Entry | None:
    """The noun of its class that begins like it (*voisin*, *voisine*), else the one in its place there."""
    path = tuple(min(_other(frozenset({name}), GENDER)) for name in entry.path)
    if path == entry.path:
        return None
    own, others = ([noun for noun in nouns if noun.path == wanted] for wanted in (entry.path, path))
    free = [other for other in others if not {form.lower() for form in other.forms} & {*words}]
    place = own.index(entry)

    def likeness(other: Entry) -> tuple[int, bool]:
        alike = n_shared(other.forms[0], entry.forms[0])
        return alike if alike >= _ALIKE else 0, others.index(other) == place

    return max(free, key=likeness, default=None)


def _determiner(word: str, features: Features, lexicon: Lexicon) -> str:
    """The determiner in the form that goes with these features; empty if the word is none."""
    if word in _ELIDED:
        word = lexicon.select([["determiner"], ["definite"]])[0].forms[0]
    word = "a" if word == "an" else word
    for entry in lexicon.entries:
        if entry.path[0] == "determiner" and word in entry.forms:
            return next(form for form, own in zip(entry.forms, entry.features, strict=True) if own <= features)
    return ""


def _other_pronoun(text: str, words: list[str], lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    pronouns = [entry for entry in lexicon.entries if entry.path[0] == "pronoun"]
    for place, word in enumerate(words):
        for entry in (pronoun for pronoun in pronouns if word in pronoun.forms):
            features = entry.features[entry.forms.index(word)]
            for dimension in (GENDER, NUMBER):
                wanted = _other(features, dimension) & {*DIMENSIONS[dimension]}
                forms = zip(entry.forms, entry.features, strict=True)
                others = (form for form, own in forms if form != word and own & {*DIMENSIONS[dimension]} == wanted)
                if wanted and (form := next(others, None)):
                    yield exchanged(text, {place: form}, lexicon.language), dimension
            return


def _other(features: Features, dimension: str) -> Features:
    one, other = DIMENSIONS[dimension]
    return frozenset({one: other, other: one}.get(name, name) for name in features)


def _spelled(text: str, new: Mapping[int, str], language: str) -> str:
    """The text with these words, fitted to their neighbours (*a* or *an*, *le* or *l'*)."""
    words = words_of(text, language)
    marked = {
        place: f"{{{word}}}" + " " * (words[place] in _ELIDED) for place, word in new.items() if word and place >= 0
    }
    spelled = spell(exchanged(text, marked, language), language)
    return spelled[0].lower() + spelled[1:] if text[:1].islower() else spelled
