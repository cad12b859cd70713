"""Stereotypes in words first: what each model prefers, what stands behind it, and three dot rows."""

from __future__ import annotations

from collections.abc import Sequence

from core.charts.stereoset import headline_rows
from core.studies.stereoset import advice, findings, paired
from core.studies.stereoset import rows as rows_of
from core.studies.stereoset.measured import OVERALL
from core.tasks import TASKS
from core.types import Model
from pages.components.shared import notices
from pages.components.shared.datasets import offer_whole_set, say_on_published
from pages.components.shared.downloads import show_chart
from pages.components.stereoset.results import StereoSetResult


def show_headlines(shown: Sequence[StereoSetResult], kind: str, models: Sequence[Model]) -> None:
    """One headline per model with its warnings, then LMS, SS and ICAT of all.

    `models` are those of the page: beside our sample stands what they reach on StereoSet itself.
    """
    for one in shown:
        if one.unreadable:
            notices.instead(one.unreadable)
            continue
        notices.write(
            "<strong>$name</strong> $answer", "pl-headline" if one is shown[0] else "pl-second",
            name=one.name, answer=findings.headline(one.measured, kind, sample=one.sample),
        )  # fmt: skip
        for sentence in (findings.beside_it(one.measured, kind), findings.counts(one.measured, kind)):
            notices.write("$sentence", "pl-quiet", sentence=sentence)
        for warning in advice.warnings(one.measured):
            if kind == OVERALL or warning.startswith(kind):
                notices.warning(warning[0].upper() + warning[1:])
    if shown[0].sample:
        say_on_published(models, "stereoset", "examples")
        offer_whole_set(TASKS["stereoset"])
    for one in shown[1:]:
        if found := paired.difference(shown[0].measured, one.measured, kind):
            notices.write("$sentence", sentence=paired.in_words(shown[0].name, one.name, found))
    named = {one.name: one.measured for one in shown}
    rows = rows_of.score_rows(named, kind)
    finding = " ".join(f"{one.name} {findings.headline(one.measured, kind)}" for one in shown)
    show_chart(headline_rows(rows, finding), f"stereoset_scores_{kind}")
    if rows["quiet"].any():
        notices.write("Grey: SS and ICAT say nothing where LMS is not distinguishable from 50.", "pl-quiet")
