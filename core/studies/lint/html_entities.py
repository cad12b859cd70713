"""Characters in the spelling of web pages: `&amp;` for &, `&#39;` for an apostrophe."""

from __future__ import annotations

import html
import re

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)


def _find(stimuli: Stimuli) -> Found:
    predicate = "have HTML entities such as &amp; in them"
    return found_in_texts(stimuli, _has_entity, predicate, lambda text: f"should read: {html.unescape(text)}")


def _has_entity(text: str) -> bool:
    return any(html.unescape(match) != match for match in _ENTITY.findall(text))


CHECK = Check(
    name="html_entities",
    title="HTML entities",
    severity="error",
    meaning="The model reads the entity letter by letter, not the character it stands for.",
    find=_find,
)
