"""Fit neighbouring words to each other in a filled-in sentence: a or an, elision, contraction.

A filled-in sentence has its words from the lexicon in braces and its region between asterisks: `de {le} *{voisin}*`.
Words change only where they meet at such braces, so that what was typed by hand (`de le voir`) stays.
"""

import re
from collections.abc import Callable
from functools import partial

Fit = Callable[[str, str, str], str]
"""From the first word, what stands between, and the second word: the text that replaces the match."""

_GAP = r"([{}*]*\s[\s{}*]*)"
_AN_NOT = re.compile(r"uni(?![nm])|us[aeu]|ut[eio]|eu|ewe|on(?:e|ce)\b")
_SILENT_H = re.compile(r"hour|honest|honou?r|heir")
_FRENCH_VOWELS = "aàâeéèêëiîïoôuùûüœæ"
_ASPIRATED = re.compile(
    r"hach|haie|hain|haï|hall|halt|hameau|hamster|hanche|handicap|hangar|haricot|harnais|harpe|hasard|hât|haut|havre"
    r"|hériss|héros|heurt|hibou|hiérarch|hockey|hollandais|homard|hongrois|hont|hors|housse|hublot|huit|hurl|hutt"
    r"|onz|oui"
)
_BEFORE_VOWEL = {"ce": "cet", "sa": "son", "ma": "mon", "ta": "ton"}
_FRENCH = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}
_PORTUGUESE = {"de": "d", "em": "n", "por": "pel"}


def opens_with_vowel(word: str, language: str) -> bool:
    """Whether the preceding word takes its form for vowels: *an* in English, *l'* in French; never in Portuguese."""
    word = word.lower()
    if language == "en":
        return bool(_SILENT_H.match(word)) or (word[0] in "aeiou" and not _AN_NOT.match(word))
    if language == "fr":
        return word[0] in f"{_FRENCH_VOWELS}h" and not _ASPIRATED.match(word)
    return False


def spell(filled: str, language: str) -> str:
    """The sentence without braces: words fitted to each other, one space between words, capitals after full stops."""
    for pattern, fit in _RULES.get(language, ()):
        filled = pattern.sub(partial(_fitted, fit), filled)
    text = re.sub(r"\s+(?=[,.])", "", " ".join(re.sub("[{}]", "", filled).split()))
    return re.sub(r"(?:^|(?<=[.!?] ))\*?\w", lambda match: match.group().upper(), text)


def _fitted(fit: Fit, match: re.Match[str]) -> str:
    first, gap, second = match.groups()
    return fit(first, gap, second) if "{" in gap or "}" in gap else match.group()


def _article(article: str, gap: str, word: str) -> str:
    return _like(article, "an" if opens_with_vowel(word, "en") else "a") + gap


def _elision(before: str, gap: str, word: str) -> str:
    return f"{before[:-1]}'{''.join(gap.split())}" if opens_with_vowel(word, "fr") else before + gap


def _determiner(before: str, gap: str, word: str) -> str:
    if not opens_with_vowel(word, "fr") or word in ("est", "était", "étaient"):
        return before + gap
    return _like(before, _BEFORE_VOWEL[before.lower()]) + gap


def _contraction(contract: Callable[[str, str], str]) -> Fit:
    """One word for two. What opened the second opens it, what closed the first closes it."""

    def fit(preposition: str, gap: str, article: str) -> str:
        closing, _, opening = re.sub(r"\s+", " ", gap).partition(" ")
        return opening + _like(preposition, contract(preposition.lower(), article.lower())) + closing

    return fit


_FRENCH_CONTRACTION = _contraction(lambda preposition, article: _FRENCH[preposition, article])
_PORTUGUESE_CONTRACTION = _contraction(lambda preposition, article: _PORTUGUESE[preposition] + article)
_CRASIS = _contraction(lambda _, article: f"a{article}" if article[0] == "o" else f"à{article[1:]}")


def _like(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new


def _before(word: str, fit: Fit) -> tuple[re.Pattern[str], Fit]:
    """A word that changes before another, which is not consumed and may change itself (*que l'avocat*)."""
    return re.compile(rf"(?<![\w'])({word}){_GAP}(?=([^\W\d_][\w'-]*))", re.IGNORECASE), fit


def _merging(first: str, second: str, fit: Fit) -> tuple[re.Pattern[str], Fit]:
    return re.compile(rf"(?<![\w'])({first}){_GAP}({second})(?![\w'])", re.IGNORECASE), fit


_RULES = {
    "en": (_before("an?", _article),),
    "fr": (
        _before("l[ea]|[dnjmts]e|(?:jus|lors|puis)?que", _elision),
        _before("ce|[smt]a", _determiner),
        _merging("de|à", "les?", _FRENCH_CONTRACTION),
    ),
    "pt": (
        _merging("de|em", "[oa]s?|(?:est|ess|el|aquel)[ea]s?", _PORTUGUESE_CONTRACTION),
        _merging("por", "[oa]s?", _PORTUGUESE_CONTRACTION),
        _merging("a", "[oa]s?", _CRASIS),
    ),
}
