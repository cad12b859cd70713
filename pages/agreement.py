"""Agreement: a prefix, two forms of its next word, and how often a model takes the one that agrees with the head."""

from collections.abc import Sequence
from pathlib import Path

from pages.components.agreement.show_agreement import CLICKED, choose_answers, show_files, show_runs_of_agreement
from pages.components.shared import notices, resources
from pages.components.shared.datasets import FILE, choose_dataset
from pages.components.shared.frame import open_page
from pages.components.shared.jobs import RunRequest, answered, watch_jobs
from pages.components.shared.link import opened_runs
from pages.components.shared.models import choose_recipes, offer_reader, unreadable, warn_of_characters
from pages.components.shared.policy import show_changes
from pages.components.shared.runs import show_runs
from pairlens.errors import InputError
from pairlens.evaluation.run_list import title_of
from pairlens.evaluation.zero_shot import meaningless, usual_rule
from pairlens.places import bundled
from pairlens.scoring.recipe import Recipe
from pairlens.studies.agreement.answers import RULE_IN_WORDS, SETS
from pairlens.tasks import TASKS
from pairlens.text import looks_tokenised

TASK = TASKS["agreement"]
POLICY_FIELDS = ("first_token", "pll", "words_by", "sentence_value", "ties", "text", "detokenise")
LINK = ("data", "path", FILE, "answers", CLICKED)
SAMPLES = {
    "Our English sample": bundled("samples", "agreement"),
    "Our French sample": bundled("samples", "agreement_french"),
}
LANGUAGES = dict(zip(SAMPLES.values(), ("en", "fr"), strict=True))
EXPECTED = (
    "Sentences (.txt: two lines for each item, the right one first) or tables (.tab, .raw-pred); a .tab or .pred of "
    "the same name says more about their items"
)
LOOKED_AT = 200  # rows, for what no model reads as it stands


def rule_for(recipe: Recipe, rule: str) -> str:
    """The chosen rule; for a model to which it means nothing another one, and why."""
    if not meaningless(TASK, rule, recipe.kind):
        return rule
    other = usual_rule(TASK, recipe.kind)
    notices.note(f"{recipe.model.name} sees what follows a form too: for it, the {RULE_IN_WORDS[other]} is compared.")
    return other


def show_asked(recipes: Sequence[Recipe], rule: str, data: Path) -> None:
    """The answers of the models whose forms have all been scored; for the others, what a run would take."""
    requests, language, foreign, models = [], "", dict[str, str](), [recipe.model for recipe in recipes]
    for recipe in recipes:
        with notices.explained_errors():
            requests.append(RunRequest(resources.planned(TASK, data, recipe, rule_for(recipe, rule)), data))
    if requests:
        texts = [f"{row.context}{row.text}" for row in requests[0].planned.rows[:LOOKED_AT]]
        show_changes(list(zip(texts[::2], texts[1::2], strict=True)), requests[0].planned.recipe)
        language = LANGUAGES.get(data, "") or looks_tokenised(texts)
        foreign = {recipe.model.name: why for recipe in recipes if (why := unreadable(texts, recipe, language))}
        warn_of_characters(texts, [recipe for recipe in recipes if recipe.model.name not in foreign])
    runs = answered(requests, resources.store())
    for why in [] if runs else foreign.values():  # of what is answered, the result says so
        notices.warning(why)
    offer_reader(language, models)
    if runs:
        results = [resources.result(run_id) for run_id in runs]
        show_runs_of_agreement(results, language, "data" if language == "fr" else "")


def show_opened(run_ids: Sequence[str]) -> None:
    """Runs that were opened by their ids; InputError for one of another kind of task, or about other items."""
    results = [resources.result(run_id) for run_id in run_ids]
    for one in results:
        if one.task.name not in SETS:
            raise InputError(f"a run of {one.task.title}: open it under Benchmarks", one.manifest["run_id"])
        if one.manifest["data_hash"] != results[0].manifest["data_hash"]:
            raise InputError("a run about other items: open it on its own", one.manifest["run_id"])
    notices.text(" · ".join(dict.fromkeys(title_of(result.manifest) for result in results)), "pl-quiet")
    show_runs_of_agreement(results)


open_page("Agreement", "Does the model make the verb agree with its head, or with whatever noun stands nearest?")
if opened := opened_runs():
    with notices.explained_errors():
        show_opened(opened)
else:
    recipes, rule, policy = choose_recipes(TASK, POLICY_FIELDS, LINK, RULE_IN_WORDS)
    data = choose_dataset(TASK, samples=SAMPLES, expected=EXPECTED)
    files = choose_answers(data)
    watch_jobs("zero-shot")
    with notices.explained_errors():
        if files:
            show_files(files, policy)
        elif recipes and data:
            show_asked(recipes, rule, data)
    show_runs(resources.store(), *SETS)
