"""Characters in the spelling of web pages: `&amp;` for &, `&#39;` for an apostrophe."""

from __future__ import annotations

import html
import re

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)


def _find(stimuli: Stimuli) -> Found:
    predicate = "have characters in the spelling of web pages, such as &amp;"
    return found_in_texts(stimuli, _has_entity, predicate, lambda text: f"should read: {html.unescape(text)}")


def _has_entity(text: str) -> bool:
    return any(html.unescape(match) != match for match in _ENTITY.findall(text))


CHECK = Check(
    name="html_entities",
    title="Characters as web pages spell them",
    severity="error",
    meaning="A model reads the spelling itself: neither the mark nor the words around it are what they seem.",
    find=_find,
)
