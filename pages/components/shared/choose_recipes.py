"""The setup bar of pages that run a task: models, how each is asked, what is compared, the policy, the link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.policies import Policy
from core.rules import RULES
from core.scorers import SCORERS, accepting
from core.scoring.recipe import Recipe
from core.types import ScorerKind, Task
from pages.components.shared.choose_models import choose_models, say_about
from pages.components.shared.choose_policy import choose_policy
from pages.components.shared.share import show_share

# Compare has `model` and `as`; a link to there loses parameters that the page it comes from binds too.
MODEL, _POLICY = "model_name", "preset"
_LINK = (MODEL, "scorer_causal", "scorer_masked", "scorer_seq2seq", _POLICY, "but")


def choose_recipes(
    task: Task, fields: Sequence[str], link: Sequence[str], rules: Mapping[str, str] | None = None
) -> tuple[list[Recipe], str, Policy]:
    """A recipe per model that can be used, the rule and the policy.

    `fields` are the policy fields that can be changed, `link` the page's other query parameters, `rules` the task's
    rules in plain words. A changed policy keeps its preset's name, as on the command line: both then speak of the
    same run.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models(MODEL)
        scorers = {kind: _choose_scorer(kind) for kind in dict.fromkeys(model.kind for model in models)}
        rule = _choose_rule(task, rules)
        policy = choose_policy(_POLICY, fields=fields, sets=task.sets, sentences=not RULES[rule].forms)
        st.space("stretch")
        show_share((*_LINK, f"rule_{task.name}", *link))
    say_about(models)
    policy = policy.but(name=policy.name.partition(",")[0])
    return [Recipe(model, scorers[model.kind], policy) for model in models], rule, policy


def _choose_rule(task: Task, said: Mapping[str, str] | None) -> str:
    """One of the task's rules, its usual one first; `said` has them in plain words."""
    if len(task.rules) == 1:
        return task.rules[0]
    words = said or {name: RULES[name].about for name in task.rules}
    return st.selectbox(
        "Scored", task.rules, key=f"rule_{task.name}", bind="query-params", format_func=words.__getitem__,
        width=290 if said else "stretch",
    )  # fmt: skip


def _choose_scorer(kind: str) -> ScorerKind:
    """The usual scorer of a kind of model, or another one that accepts it."""
    names = accepting(kind)
    if len(names) == 1:
        return SCORERS[names[0]]
    titles = "  \n".join(SCORERS[name].title for name in names)
    return SCORERS[st.selectbox("Scorer", names, key=f"scorer_{kind}", help=titles, bind="query-params")]
