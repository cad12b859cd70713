"""The catalogues of translations, brought up to date with the sources: `python -m workshop.catalogue`.

New messages are added without a translation, and those that nobody says any more are dropped; how many have none yet
is printed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from pairlens.places import FOLDER, bundled
from pairlens.text.languages import catalogue_of

_OF_CORE = {"Message": None, "one_or_more": (1, 2)}
KEYWORDS = {"core": _OF_CORE, "pages": {**_OF_CORE, "say": None, "translate": None}}
"""By folder, what takes an English template, and in which arguments, if not only in the first one."""
_WIDTH = 118


def locales() -> Iterator[str]:
    """Those that have a catalogue."""
    return (path.parts[-3] for path in sorted((FOLDER / "locale").glob("*/LC_MESSAGES/pairlens.po")))


def extracted() -> Catalog:
    """Every message of core and pages, and the descriptions of the models that come along."""
    found = Catalog(project="Pairlens")
    for folder, keywords in KEYWORDS.items():
        for file, line, message, *_ in extract_from_dir(FOLDER / folder, [("**.py", "python")], keywords=keywords):
            found.add(message, locations=[(f"{folder}/{file}", line)])
    for card in sorted((bundled("models")).glob("*/card.json")):
        described = json.loads(card.read_text("utf-8"))["description"]
        found.add(described.rstrip("."), locations=[(card.relative_to(FOLDER).as_posix(), 1)])
    return found


def main() -> None:
    """Update every catalogue."""
    sources = extracted()
    for locale in locales():
        path = catalogue_of(locale)
        with path.open("rb") as file:
            catalogue = read_po(file, locale)
        created = catalogue.creation_date
        catalogue.update(sources, no_fuzzy_matching=True)
        catalogue.creation_date = created  # the same sentences make the same file
        with path.open("wb") as file:
            write_po(file, catalogue, _WIDTH, sort_output=True, include_lineno=False, ignore_obsolete=True)
        strings = (one.string for one in catalogue if one.id)
        missing = sum(not (all(one) if isinstance(one, tuple) else one) for one in strings)
        print(f"{locale}: {len(catalogue)} messages, {missing} without a translation")


if __name__ == "__main__":
    main()
