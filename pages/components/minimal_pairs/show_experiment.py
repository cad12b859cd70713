"""What an experiment found: the answer in words, the main chart, details in tabs, what can be taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.analysis.by_cond import overall
from core.analysis.interaction import Interaction
from core.errors import InputError
from core.scoring.recipe import Recipe
from core.studies.experiment import wording
from core.studies.experiment.findings import Findings
from pages.components.minimal_pairs import resources
from pages.components.minimal_pairs.predict_pairs import show_own
from pages.components.minimal_pairs.question import Question
from pages.components.minimal_pairs.show_analyses import show_analyses
from pages.components.minimal_pairs.show_conditions import show_conditions
from pages.components.minimal_pairs.show_exclusions import show_exclusions
from pages.components.minimal_pairs.show_exports import show_exports
from pages.components.minimal_pairs.show_finding import show_finding
from pages.components.minimal_pairs.show_interaction import show_interaction
from pages.components.minimal_pairs.show_pairs import show_pairs
from pages.components.minimal_pairs.show_profile import show_profile
from pages.components.shared import notices
from pages.components.shared.downloads import gathered_downloads, show_downloads
from pages.components.shared.models import choose_shown
from pages.components.shared.tables import show_table, show_tabs

_LISTED = 1_000
_UNCROSSED = (
    "An interaction needs two factors (conditions, or a condition and the comparison) with two values each, and "
    "items that have all four cells."
)


def show_experiment(question: Question, factors: tuple[str, ...], facets: Sequence[str]) -> None:
    """All of it, for the models that have scores."""
    findings = resources.findings(question)
    crossed, everywhere, reason = _crossed(question, factors)
    show_finding(question, findings, crossed, everywhere)
    show_own(findings)
    by_name = {recipe.model.name: recipe for recipe in question.recipes}
    recipe = by_name[choose_shown(list(by_name))]
    finding = _in_words(findings, recipe)
    crossing = wording.interaction_of(crossed, recipe.model.name, findings.analysis) if crossed else ""
    with gathered_downloads() as parts:
        show_profile(findings, recipe.model.name, facets, f"{finding} {crossing}".strip())
    shows: dict[str, Callable[[], None]] = {
        "Pairs": lambda: show_pairs(findings, recipe, finding),
        "Conditions": lambda: show_conditions(findings, recipe.model.name, finding),
        "Interaction": lambda: show_interaction(crossed, everywhere, reason, findings, recipe.model.name, crossing),
        "Words": lambda: _show_words(findings, recipe.model.name),
        "All policies": lambda: show_analyses(question, recipe, factors if crossed else ()),
        "Left out": lambda: show_exclusions(question, findings),
    }
    if not wording.has_pairs(findings.design):
        del shows["Pairs"]
        if not crossed:
            del shows["All policies"]
    with gathered_downloads() as in_tab:
        show_tabs(shows, key="parts")
    show_exports(question, findings, [*parts, *in_tab])


def _crossed(question: Question, factors: tuple[str, ...]) -> tuple[Interaction | None, Interaction | None, str]:
    """The interaction in the region and in every region, or why there is none."""
    if not factors:
        return None, None, _UNCROSSED
    try:
        return resources.crossed(question, factors), resources.everywhere(question, factors), ""
    except InputError as wrong:
        return None, None, str(wrong)


def _in_words(findings: Findings, recipe: Recipe) -> str:
    """The answer again, as what the charts say."""
    if not wording.has_pairs(findings.design):
        return f"Mean surprisal of {wording.summary(findings.design)}"
    rows = overall(findings.by_cond)
    of_model = rows[rows["model"] == recipe.model.name]
    if of_model.empty:
        return "No pair can be compared."
    return wording.preference(of_model.iloc[0], wording.judged_by(findings), findings.design.columns)


def _show_words(findings: Findings, model: str) -> None:
    rows = findings.by_word[findings.by_word["model"] == model]
    if len(rows) > _LISTED:
        notices.write("The first $shown of $n words; the download has all.", "pl-quiet", shown=f"{_LISTED:,}",
                      n=f"{len(rows):,}")  # fmt: skip
    show_table(rows.head(_LISTED), alt="One row per word")
    show_downloads(f"by-word-{model}", rows)
