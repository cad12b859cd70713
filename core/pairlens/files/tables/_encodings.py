"""Which encoding a text has that is not UTF-8: the only reading that looks like a written language.

charset-normalizer drops encodings that give no readable text. Its order is not used, because the first is often wrong
(*não* becomes *năo*). Of what it leaves, a reading fits if its letters are those of a language that is written in
that encoding, in usual shapes, numbers and places.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pairlens.messages import Message

NAMES: Mapping[str, str] = {
    "cp1252": Message("Windows-1252 (western Europe)"),
    "mac_roman": Message("Mac Roman (western Europe)"),
    "cp1250": Message("Windows-1250 (central Europe)"),
    "iso8859_2": Message("ISO-8859-2 (central Europe)"),
    "cp1257": Message("Windows-1257 (Baltic)"),
    "cp1254": Message("Windows-1254 (Turkish)"),
    "cp1251": Message("Windows-1251 (Cyrillic)"),
    "koi8_r": Message("KOI8-R (Cyrillic)"),
    "iso8859_5": Message("ISO-8859-5 (Cyrillic)"),
    "mac_cyrillic": Message("Mac Cyrillic"),
    "cp1253": Message("Windows-1253 (Greek)"),
    "iso8859_7": Message("ISO-8859-7 (Greek)"),
    "cp1255": Message("Windows-1255 (Hebrew)"),
    "cp1256": Message("Windows-1256 (Arabic)"),
    "cp932": Message("Shift JIS (Japanese)"),
    "euc_jp": Message("EUC-JP (Japanese)"),
    "gb18030": Message("GB 18030 (Chinese)"),
    "big5": Message("Big5 (Chinese)"),
    "cp949": Message("EUC-KR (Korean)"),
}
"""What is recognised, by Python's names; Latin-1 and ISO-8859-9 are parts of Windows-1252 and Windows-1254."""

_WESTERN = "àâæçéèêëîïôùûüœäößãõáíóúñìòåø"
_CENTRAL = ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíľňóôšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž")
_LATIN: Mapping[str, tuple[str, ...]] = {
    "cp1252": (_WESTERN, "áðéíóúýþæö"),
    "mac_roman": (_WESTERN,),
    "cp1250": _CENTRAL,
    "iso8859_2": _CENTRAL,
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž"),
    "cp1254": ("çğıöşüâîûİ",),
}
"""Letters beyond ASCII, by language: western ones together; Polish, Czech, ...; Lithuanian, Latvian, Estonian."""
_ALPHABETIC = 0.45
_CYRILLIC = frozenset("абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґў"), frozenset("оеаинтсрвл"), _ALPHABETIC
_GREEK = frozenset("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"), frozenset("αοιετσνηυρ"), _ALPHABETIC
_HEBREW = frozenset("אבגדהוזחטיךכלםמןנסעףפץצקרשת"), frozenset("יוהאלמרתבש"), _ALPHABETIC
_ARABIC = frozenset("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگـ"), frozenset("اليمنورتبه"), _ALPHABETIC
_KANA = frozenset(map(chr, [*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), 0x30FC]))
_HANZI = frozenset(map(chr, range(0x4E00, 0x9FA6)))
_JAPANESE = _KANA | _HANZI, _KANA, 0.15
_CHINESE = (
    _HANZI,
    frozenset(
        "的一是不了在人有我他這这個个們们中來来上大為为和國国地到以說说時时要就出會会可也你對对生能而子那得於于著着下自之年過过發发後后作裡里用道"
        "行所然家種种事成方多經经麼么去法學学如都同現现當当沒没動动面起看定天分還还進进好小部其些主樣样理心她本前開开但因只從从想實实日"
    ),
    0.08,
)
_KOREAN = (
    frozenset(map(chr, range(0xAC00, 0xD7A4))),
    frozenset("이다는을를에가의고하지은한로서도기어나사리아대자그시해인있것들라보수면게"),
    0.25,
)
_SCRIPTS = {
    "cp1251": _CYRILLIC, "koi8_r": _CYRILLIC, "iso8859_5": _CYRILLIC, "mac_cyrillic": _CYRILLIC,
    "cp1253": _GREEK, "iso8859_7": _GREEK, "cp1255": _HEBREW, "cp1256": _ARABIC,
    "cp932": _JAPANESE, "euc_jp": _JAPANESE, "gb18030": _CHINESE, "big5": _CHINESE, "cp949": _KOREAN,
}  # fmt: skip
"""A script's letters, the commonest, and their least share in any text: in the wrong encoding they are rarer."""
_MARKS = frozenset("’‘“”„«»‹›–—…·•°§©®€£ªº²½¡¿№、。，；：？！「」『』（）《》・〜～\u00a0\u3000")
_IN_WORD = re.compile(r"(?<=[^\W\d_])(?:[^\w\s\0-\x7f](?=[^\W\d_])|€)|(?<=[^\W\d_\0-\x7f])\d")
_MIXED = re.compile(r"[A-Za-z](?![A-Za-z])[^\W\d_]|(?![A-Za-z])[^\W\d_][A-Za-z]")
_ELISION = re.compile(
    r"\b(?:[cdjlmnst]|qu|aujourd|jusqu|lorsqu|puisqu|quelqu)’|’(?:[stdm]|ll|re|ve)\b", re.IGNORECASE
)
"""Where western words have an apostrophe: anywhere else it may be a letter of another encoding."""
_STRAY = 0.03
"""The share of letters that a language need not have, as in names."""
_FAULTS = 0.005
_FEWEST_BALTIC = 2
"""Different letters: one alone, such as the à of a few lines of French, is far likelier western."""


@dataclass(frozen=True, slots=True)
class Reading:
    encoding: str
    text: str
    fits: bool


def readings(sample: bytes) -> list[Reading]:
    """What bytes that are not UTF-8 may be: the readings that fit (one alone is trusted), else the two best."""
    from charset_normalizer import from_bytes

    matches = from_bytes(sample, cp_isolation=[*NAMES], preemptive_behaviour=False, enable_fallback=False)
    read = [
        max((Reading(name, text, _fits(name, text)) for name in same), key=lambda one: one.fits)
        for match in matches
        if (same := [name for name in NAMES if name in match.could_be_from_charset]) and (text := str(match))
    ]
    fitting = sorted((one for one in read if one.fits), key=lambda one: [*NAMES].index(one.encoding))
    if [one.encoding for one in fitting] == ["cp1252", "mac_roman"]:
        return fitting[:1]  # its quotation marks and dashes stand where they should; the other has letters there
    return fitting or read[:2]


def _fits(encoding: str, text: str) -> bool:
    foreign = [sign for sign in text if not sign.isascii()]
    letters = ["İ" if sign == "İ" else sign.lower() for sign in foreign if sign.isalpha()]
    if sum(not sign.isalpha() and sign not in _MARKS for sign in foreign) > _STRAY * len(foreign):
        return False
    if encoding in _LATIN:
        words = _ELISION.sub("'", text) if encoding == "cp1252" else text.replace("’", "'")
        faults, few = len(_IN_WORD.findall(words)), len(letters) <= 0.6 * sum(map(str.isalpha, text))
        if encoding == "cp1257" and len({*letters}) < _FEWEST_BALTIC:
            return False
        fits = few and any(_share(letters, usual) >= 1 - _STRAY for usual in _LATIN[encoding])
    else:
        script, common, least = _SCRIPTS[encoding]
        alphabetic = least == _ALPHABETIC
        faults = len(_IN_WORD.findall(text)) + len(_MIXED.findall(text)) if alphabetic else 0
        plain = sum(map(str.isupper, foreign)) <= 0.5 * len(letters)  # KOI8-R and others differ in case alone
        fits = plain and _share(letters, script) >= 1 - _STRAY and _share(letters, common) >= least
    return fits and faults + _wrong_capitals(text) <= _FAULTS * len(foreign)


def _share(letters: list[str], usual: Iterable[str]) -> float:
    known = frozenset(usual)
    return sum(letter in known for letter in letters) / len(letters) if letters else 1.0


def _wrong_capitals(text: str) -> int:
    """Capitals after a small letter, or before one inside a word, where this is not the writer's choice as in McX."""
    count = 0
    for before, sign, after in zip(text, text[1:], text[2:] + " ", strict=False):
        if sign.isupper() and before.isalpha() and not (sign.isascii() and before.isascii()):
            count += before.islower() or (after.islower() and not sign.isascii())
    return count
