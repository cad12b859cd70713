"""Characters in the spelling of web pages: `&amp;` for &, `&#39;` for an apostrophe."""

from __future__ import annotations

import html

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli
from core.text.faults import has_entity


def _find(stimuli: Stimuli) -> Found:
    predicate = "have HTML entities such as &amp; in them"
    return found_in_texts(stimuli, has_entity, predicate, lambda text: f"should read: {html.unescape(text)}")


CHECK = Check(
    name="html_entities",
    title="HTML entities",
    severity="error",
    meaning="The model reads the entity letter by letter, not the character it stands for.",
    find=_find,
)
