"""Languages in which messages are said: English, in which they are written, and those with a catalogue in `locale/`.

A language is an object that a page makes for its visitor; nothing is installed for the whole process. Catalogues are
compiled from the .po file when a language is first asked for: no compiled file can be missing or out of date.
"""

import math
import re
from copy import copy
from decimal import Decimal
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from numbers import Real
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_scientific
from babel.support import Translations

from pairlens.messages import Filling, Message
from pairlens.places import FOLDER

SOURCE = "en"
_APART = re.compile(r"(?<=\d)%")
"""Per cent without the space that belongs before it (ISO 80000), as locales of Portuguese have it."""


class Language:
    """Says messages: their templates translated by a catalogue, their numbers as the locale writes them."""

    def __init__(self, locale: str = SOURCE, numbers: str = "") -> None:
        """`numbers` is the locale that numbers are written in, if another one."""
        self.locale, self._numbers = locale, numbers or locale
        self._catalogue = NullTranslations() if locale == SOURCE else _compiled(catalogue_of(locale))
        self._filling = _Filling(self)

    def __call__(self, message: str, /, **arguments: object) -> str:
        """A message, or a template and its arguments. What the catalogue does not have stays English."""
        if arguments:
            message = Message(message, **arguments)
        elif not isinstance(message, Message):
            return self._catalogue.gettext(message) if message else ""  # of the empty text it has its header
        template = self._template(message)
        return self._filling.vformat(template, (), message.arguments) if message.arguments else template

    def _template(self, message: Message) -> str:
        if not message.template:
            return ""
        if message.plural:
            return self._catalogue.ngettext(message.template, message.plural, int(str(message.arguments["n"])))
        return self._catalogue.gettext(message.template)

    @property
    def separators(self) -> tuple[str, str]:
        """Its decimal mark, and what it puts between thousands."""
        signs = Locale.parse(self._numbers).number_symbols["latn"]
        return signs["decimal"], signs["group"]

    def number(self, value: Real | float, form: str) -> str:
        """A number in a format of Python's (`,.1f`, `.0%`, `.2g`): the same digits, as the locale writes them."""
        if self._numbers == SOURCE or not math.isfinite(float(value)):
            return Filling().format_field(value, form)
        digits = format(value, form.replace(",", ""))
        rounded = Decimal(digits.rstrip("%"))
        if "e" in digits:
            return format_scientific(rounded, locale=self._numbers)
        locale = Locale.parse(self._numbers)
        pattern = copy((locale.percent_formats if form.endswith("%") else locale.decimal_formats)[None])
        pattern.frac_prec = (len(digits.rstrip("%").partition(".")[2]),) * 2
        exact = rounded / 100 if form.endswith("%") else rounded
        written = str(pattern.apply(exact, locale, group_separator="," in form))
        return _APART.sub("\u00a0%", written)


class _Filling(Filling):
    def __init__(self, language: Language) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Message):
            return format(self._language(value), format_spec)
        if format_spec and isinstance(value, Real):
            return self._language.number(value, format_spec)
        return super().format_field(value, format_spec)


def catalogue_of(locale: str) -> Path:
    return FOLDER / "locale" / locale / "LC_MESSAGES" / "pairlens.po"


@cache
def _compiled(path: Path) -> NullTranslations:
    compiled = BytesIO()
    with path.open("rb") as written:
        write_mo(compiled, read_po(written))
    compiled.seek(0)
    return Translations(compiled)


def english_name(code: str) -> str:
    """What a language is called in English: `French` for `fr`."""
    try:
        return str(Locale.parse(code).get_display_name("en"))
    except (UnknownLocaleError, ValueError):
        return f"text in the language '{code}'"


def name_of(code: str) -> str:
    """The same for codes with two letters and with three: `Hebrew` for `he` and `heb`; else the code."""
    names = Locale("en").languages
    return str(names.get(code) or names.get(get_global("language_aliases").get(code, "")) or code)
