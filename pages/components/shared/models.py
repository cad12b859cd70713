"""Which models, how each is asked, and what they have never read."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.link import show_share
from pages.components.shared.policy import choose_policy
from pages.components.shared.rights import rights
from pairlens.errors import PairlensError
from pairlens.evaluation.receipts.scored_by import kind_named
from pairlens.evaluation.result import Run
from pairlens.messages import Message, joined
from pairlens.models import served
from pairlens.models.unreadable import why_unreadable
from pairlens.policies import Policy
from pairlens.rules import RULES
from pairlens.scorers import SCORERS, accepting
from pairlens.scoring.model_cache import weight_megabytes
from pairlens.scoring.recipe import Recipe
from pairlens.studies.study import strange_characters
from pairlens.text import looks_tokenised
from pairlens.types import Model, ScorerKind, Task

NO_MODEL = "Choose a model above: the bundled ones are small and work without a network."
"""What a page says that cannot do anything without one."""
SCORABLE = ("causal", "masked", "seq2seq", "unigram", "served")
_HELP = Message(
    "Bundled models work without a network. To add another, type the folder of a Hugging Face checkpoint, its name "
    "on the hub (gpt2, org/name or org/name@revision), a GGUF file, or the address of a server (http://HOST:PORT)."
)
_CLOSED = Message(
    "Bundled models work without a network. Of other models, those that the operator of this dashboard names can be "
    "typed."
)
# Compare has `model` and `as`; a link to there loses parameters that the page it comes from binds too.
MODEL, _POLICY = "model_name", "preset"
_LINK = (MODEL, "scorer_causal", "scorer_masked", "scorer_seq2seq", _POLICY, "but")
_LATEST = "models_chosen_latest"
_LOOKED_AT = 200
"""Candidates of a run."""


def choose_models(
    key: str = "model",
    kinds: Sequence[str] = SCORABLE,
    opening: Sequence[str] = (),
    label: str = "Model",
    translate: Callable[[str], str] = str,
) -> list[Model]:
    """Any number of models; those that cannot be used are left out.

    At first one of the kinds in `opening` or, without these, those that were chosen on another page just now.
    """
    names = listed(kinds)
    if not opening and key not in st.session_state and key not in st.query_params:
        _bring_along(key, kinds)
    first = listed(opening) if opening else names
    chosen = st.multiselect(
        label, names, default=first[:1], key=key, accept_new_options=True, help=translate(_help()),
        bind="query-params", placeholder=translate("Choose or type a model"), width=250, wrap=True,
        on_change=lambda: st.session_state.update({_LATEST: st.session_state[key]}),
    )  # fmt: skip
    return _find(chosen, kinds, translate)


def _bring_along(key: str, kinds: Collection[str]) -> None:
    latest = []
    for name in st.session_state.get(_LATEST, ()):
        with suppress(PairlensError):
            latest += [name] if resources.model(name).kind in kinds else []
    if latest:
        st.session_state[key] = latest


def named(name: str, kinds: Collection[str]) -> Model | None:
    """The model of this name; None, with the reason, if it cannot be used, and for no name."""
    return next(iter(_find([name] if name else [], kinds)), None)


def choose_shown(names: Sequence[str]) -> str:
    """Whose words are shown in full, where several models answered."""
    if len(names) == 1:
        return names[0]
    return st.selectbox("Shown word by word", names, key="in_full", bind="query-params", width=300)


def describe(model: Model) -> Message:
    """What a visitor should know before believing a number: what the model has read, and how big it is."""
    described = str(model.card.get("description", "")).rstrip(".")
    about = [Message(described) if described else Message("A {kind} language model", kind=model.kind)]
    if model.card.get("lower_case") and "lower case" not in described:
        about.append(Message("lower case"))
    if (size := weight_megabytes(model)) >= 1 and "MB" not in described:
        about.append(Message("{size:.0f} MB", size=size))
    if model.kind == "served":
        about.append(served.state_of(model))
    return joined((joined(about, ", "), "."), "")


def say_about(models: Iterable[Model]) -> None:
    for model in models:
        notices.write("$name: $about", "pl-about", name=model.name, about=describe(model))


def _help() -> Message:
    return _HELP if rights().everything else _CLOSED


def listed(kinds: Sequence[str]) -> list[str]:
    fitting = [model for model in resources.known_models() if model.kind in kinds]
    return [model.name for model in sorted(fitting, key=lambda model: kinds.index(model.kind))]


def _find(names: Collection[str], kinds: Collection[str], translate: Callable[[str], str] = str) -> list[Model]:
    usable = []
    for name in names:
        try:
            model = resources.model(name)
        except PairlensError as error:
            notices.error(translate(error.message))
            continue
        if model.kind in kinds:
            usable.append(model)
        else:
            taken = ", ".join(kinds)
            other = Message(
                "{name} is a {kind} model. This page takes: {kinds}.", name=name, kind=model.kind, kinds=taken
            )
            notices.error(translate(other))
    return usable


def choose_recipes(
    task: Task, fields: Sequence[str], link: Sequence[str], rules: Mapping[str, str] | None = None
) -> tuple[list[Recipe], str, Policy]:
    """A recipe per usable model, the rule (`rules` in plain words) and the policy, whose `fields` can be changed.

    A changed policy keeps its preset's name, as on the command line: both then speak of the same run. Where rule or
    scorer are not the usual ones, the page says so.
    """
    words = rules or {name: RULES[name].about for name in task.rules}
    scorers: dict[str, ScorerKind] = {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models(MODEL)
        choose = partial(_choose_question, task, words, [model.kind for model in models], scorers)
        sentences = not RULES[task.rules[0]].forms
        policy = choose_policy(_POLICY, fields=fields, sets=task.sets, sentences=sentences, above=choose)
        rule = st.session_state.get(f"rule_{task.name}", task.rules[0])
        st.space("stretch")
        show_share((*_LINK, f"rule_{task.name}", *link))
    say_about(models)
    unusual = [words[rule]] if rule != task.rules[0] else []
    unusual += [scorer.title for kind, scorer in scorers.items() if scorer is not SCORERS[accepting(kind)[0]]]
    if unusual:
        notices.write("Scored: $ways", "pl-quiet", ways="; ".join(unusual))
    policy = policy.but(name=policy.name.partition(",")[0])
    return [Recipe(model, scorers[model.kind], policy) for model in models], rule, policy


def _choose_question(
    task: Task, words: Mapping[str, str], kinds: Iterable[str], scorers: dict[str, ScorerKind]
) -> None:
    """One of the task's rules in these words, its usual one first; a scorer for each kind of model."""
    if len(task.rules) > 1:
        st.selectbox(
            "Scored", task.rules, key=f"rule_{task.name}", bind="query-params", format_func=words.__getitem__
        )
    scorers.update({kind: _choose_scorer(kind) for kind in dict.fromkeys(kinds)})


def _choose_scorer(kind: str) -> ScorerKind:
    names = accepting(kind)
    if len(names) == 1:
        return SCORERS[names[0]]
    titles = "  \n".join(SCORERS[name].title for name in names)
    return SCORERS[st.selectbox("Scorer", names, key=f"scorer_{kind}", help=titles, bind="query-params")]


def unreadable(texts: Sequence[str], recipe: Recipe, language: str = "") -> str:
    """Why nothing can be said about these texts (in this language) with this model; empty where it reads them."""
    return why_unreadable(texts, recipe.policy, recipe.model, language)


def unreadable_run(result: Run, language: str = "") -> str:
    """The same of a finished run, by its stored texts; nothing of confidential ones, or of a model that is gone."""
    rows = result.candidates.head(_LOOKED_AT).dropna(subset=["text"])
    texts = [f"{context or ''}{text}" for context, text in zip(rows["context"], rows["text"], strict=True)]
    kind = kind_named(result.manifest["scorer"])
    with suppress(PairlensError):
        if texts and kind:
            recipe = Recipe(resources.model(result.manifest["model"]), kind, result.policy)
            return unreadable(texts, recipe, language or looks_tokenised(texts))
    return ""


def warn_of_characters(texts: Sequence[str], recipes: Iterable[Recipe]) -> None:
    """Name the models whose training text had none of some characters."""
    for recipe in recipes:
        if notice := strange_characters(texts, recipe):
            notices.warning(notice.message)


def offer_reader(language: str, models: Iterable[Model]) -> None:
    """A button that asks a model that has read this language, where one of these has not."""
    strangers = [model for model in models if language and "language" in model.card and not _speaks(model, language)]
    readers = [model.name for model in resources.catalogue() if model.kind == "causal" and _speaks(model, language)]
    if strangers and readers:
        chosen, label = {MODEL: [readers[0]]}, f"Ask {readers[0]} instead"
        st.button(label, key="other_language", on_click=st.session_state.update, args=(chosen,))


def _speaks(model: Model, language: str) -> bool:
    return language in str(model.card.get("language", "")).split()
