"""The models here, the card of one, what adding one would fetch, and which are in memory."""

import json
from collections.abc import Sequence
from functools import partial
from textwrap import shorten

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.jobs import watch_jobs
from pages.components.shared.link import link_to_compare
from pages.components.shared.models import SCORABLE
from pages.components.shared.resources import look_for_models
from pages.components.shared.rights import rights
from pages.components.shared.tables import choose_row, show_table
from pairlens.charts.accuracy import reached
from pairlens.evaluation.command import line
from pairlens.identity import digest
from pairlens.models import folder_list
from pairlens.models.inventory import Entry, Offer, in_millions, offer, offer_in_words
from pairlens.models.resolve import is_folder, refuse_closed
from pairlens.policies import Policy
from pairlens.reports.model_evaluation import group_rows, in_words, published_rows, score_rows
from pairlens.scoring.checkpoints import checkpoints, holds_checkpoints
from pairlens.scoring.model_cache import Held
from pairlens.servers import is_address
from pairlens.settings import settings
from pairlens.sharing import Rights, why_not
from pairlens.store import jobs
from pairlens.text.languages import name_of
from pairlens.training.card import account, words_read

PARAMETER = "model"
KINDS = {
    "causal": "left to right", "masked": "masked", "seq2seq": "encoder-decoder", "classifier": "entailment",
    "next-sentence": "next sentence", "unigram": "word counts", "served": "on a server",
}  # fmt: skip
ORIGINS = {
    "bundled": "comes with Pairlens", "own": "made here", "hub": "from the hub", "folder": "a folder or file",
    "server": "a server",
}  # fmt: skip
_COLUMNS = {
    "name": st.column_config.TextColumn("Name", width="medium"),
    "kind": "Kind",
    "language": "Language",
    "parameters": st.column_config.TextColumn("Parameters", alignment="right"),
    "size": st.column_config.TextColumn("On disk", alignment="right"),
    "text": st.column_config.TextColumn("Training words", alignment="right"),
    "reaches": st.column_config.TextColumn("Accuracy (95 % interval)", width="large"),
    "origin": "From",
}
_PAGES = {
    "classifier": ("pages/nli.py", "Open in Entailment", ":material/rule:", "nli_model"),
    "next-sentence": ("pages/stereoset.py", "Open in Stereotypes", ":material/groups:", "model_name"),
}
"""Where models are asked that give no sentence a number: page, label, icon, and what its links call the model."""
_COMMANDS = {
    "classifier": ["nli", "predict", "--data", "pairs.csv", "--output-file", "answers.csv"],
    "next-sentence": ["stereoset", "predict", "--gold-file", "dev.json", "--output-dir", "predictions"],
}
_SOURCES = {
    "title": st.column_config.TextColumn("Training text", width="large"),
    "words": st.column_config.NumberColumn("Words", format="localized"),
    "licence": st.column_config.TextColumn("Licence", width="medium"),
    "where": st.column_config.TextColumn("Where", width="large"),
}
_SHARES = {"value": "Accuracy", "low": "95 % from", "high": "to", "chance": "Guessing"}
_SCORES = {
    "set": st.column_config.TextColumn("Test set", width="medium"),
    **{name: st.column_config.NumberColumn(title, format="percent") for name, title in _SHARES.items()},
    "baseline": "Best simple rule",
    "baseline_value": st.column_config.NumberColumn("its accuracy", format="percent"),
    "items": st.column_config.NumberColumn("Items", format="localized"),
    "policy": st.column_config.TextColumn("Scoring", width="large"),
    "signature": "Signature",
}
_GROUPS = {
    "set": "Test set", "by": "By", "name": "Group",
    "value": st.column_config.NumberColumn("Accuracy", format="percent"),
}  # fmt: skip


def choose_entry() -> Entry | None:
    """The model of the link, or the first; None where there is none at all."""
    entries = {
        entry.name: entry
        for entry in sorted(resources.known_models(), key=lambda entry: list(KINDS).index(entry.kind))
    }
    if not entries:
        notices.note(
            "There are no models on this machine: add one above, train one on the page Train, or restore the folder "
            "data/models."
        )
        return None
    rows = pd.DataFrame(
        {
            "name": entry.name,
            "kind": KINDS.get(entry.kind, entry.kind),
            "language": languages(entry),
            "parameters": in_millions(entry.parameters),
            "size": f"{entry.megabytes:,.1f} MB",
            "text": in_millions(words_read(entry.card)),
            "reaches": " · ".join(in_words(entry.card)),
            "origin": ORIGINS[entry.origin],
        }
        for entry in entries.values()
    )
    title = "The models on this machine"
    return entries[choose_row(rows, [*entries], _COLUMNS, title, " ".join(entries), PARAMETER, "model")]


def languages(entry: Entry) -> str:
    """`English, Portuguese`; empty where the card names none."""
    return ", ".join(map(name_of, str(entry.card.get("language", "")).split()))


def show_card(entry: Entry) -> None:
    notices.write("<strong>$title</strong>", "pl-second", title=entry.card.get("title") or entry.name)
    parameters = f"{in_millions(entry.parameters)} parameters" if entry.parameters else ""
    facts = (KINDS.get(entry.kind, entry.kind), languages(entry), parameters, f"{entry.megabytes:,.1f} MB")
    notices.text(entry.card.get("description") or "This model has no model card.")
    notices.text(" · ".join(filter(None, facts)), "pl-quiet")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _link_to_pages(entry.kind, entry.name)
        if folder_list.contains(entry.name) and rights().everything:
            st.button("Take out of the list", icon=":material/close:", on_click=_forget, args=(entry.name,))
        with st.popover("On the command line", icon=":material/terminal:"):
            arguments = _COMMANDS.get(entry.kind, ["score", "The keys to the cabinet are here."])
            st.code(line([*arguments, "--model", entry.name]), language="bash", wrap_lines=True)
        if entry.card:
            st.download_button(
                "Card (JSON)", json.dumps(dict(entry.card), ensure_ascii=False, indent=1), f"{entry.name}-card.json",
                "application/json", key="get_card", on_click="ignore", icon=":material/download:",
            )  # fmt: skip
    _show_scores(entry)
    for name, sentence in account(entry.card).items():
        notices.write("<strong>$name:</strong> $sentence", name=name, sentence=sentence)
    _show_text(entry)


def _link_to_pages(kind: str, name: str) -> None:
    """Where a model of this kind is asked."""
    if kind in SCORABLE:
        link_to_compare(model=name)
        st.page_link(
            "pages/zero_shot.py", label="Benchmarks", icon=":material/play_arrow:", query_params={"model_name": name}
        )
    elif kind in _PAGES:
        page, label, icon, parameter = _PAGES[kind]
        st.page_link(page, label=label, icon=icon, query_params={parameter: name})


def _forget(name: str) -> None:
    """Callback: the folder is listed no more, and its card is closed; its files stay."""
    folder_list.remove(name)
    st.query_params.pop(PARAMETER, None)
    look_for_models()


def _show_text(entry: Entry) -> None:
    if sources := entry.card.get("sources"):
        origins = [", ".join(origin["repository"] for origin in source.get("origins", ())) for source in sources]
        rows = pd.DataFrame(sources).assign(where=origins)[list(_SOURCES)]
        show_table(rows, column_config=_SOURCES, alt="Training texts")
    if characters := str(entry.card.get("characters", "")).strip():
        lower = " It reads lower-case text only." if entry.card.get("lower_case") else ""
        notices.write(
            "<strong>Characters seen often in training:</strong> <span class=\"pl-piece\">$characters</span>$lower",
            characters=characters, lower=lower,
        )  # fmt: skip


def _show_scores(entry: Entry) -> None:
    rows = score_rows(entry.card)
    if rows.empty:
        notices.note("No scores yet. Run a benchmark to get some.")
        return
    sentence = "Accuracy, with 95 % intervals: " + "; ".join(in_words(entry.card)) + "."
    rules = rows[["set", "baseline", "baseline_value"]].dropna()
    rules = rules.rename(columns={"baseline": "name", "baseline_value": "value"}).assign(published=False)
    published = published_rows(entry.card).assign(published=True)
    chart = reached(rows, pd.concat([rules, published], ignore_index=True), sentence)
    notices.text(sentence)
    show_chart(chart, "reached")
    notices.write(
        "Blue: the model, with its 95 % interval over items. Tick: guessing. Diamond: the best simple rule. "
        "Triangle: published results on the same items.", "pl-quiet",
    )  # fmt: skip
    with st.expander("As a table, and by group"):
        show_table(rows, column_config=_SCORES, alt="Accuracy on whole test sets")
        groups = group_rows(entry.card)
        if len(groups):
            show_table(groups, column_config=_GROUPS, alt="The same by group")
        show_downloads(f"{entry.name}-scores", rows, chart, {"scores": rows, "groups": groups})


NAMED = "named"
_VERB, _COUNTED = "models", "MB"
_SEEN = "seen_fetch"
_NAMES = 120
"""Characters of names of checkpoints."""
_HELP = (
    "org/name, org/name@revision, ./folder, ./file.gguf#tokenizer, http://host:port?tokenizer=model. Only "
    "safetensors and tokenizer files are fetched."
)
_USUAL = Policy()


def add_model() -> None:
    """The box, what the name would bring, and fetching it as a job. ModelError in words."""
    if not rights().names_models:
        notices.text(why_not("hub"), "pl-quiet")
        return
    source = st.text_input(
        "Add a model: a name on the hub, a folder, a GGUF file or a server", key=NAMED, bind="query-params",
        help=_HELP, width=480, placeholder="org/name, ./folder, ./file.gguf or http://host:port",
    ).strip()  # fmt: skip
    watch_jobs(_VERB, _COUNTED)
    if not source:
        offline = " Pairlens is offline (PAIRLENS_OFFLINE): only models on this machine can be used."
        notices.write(
            "Kind, size and licence are shown before anything is fetched.$more", "pl-quiet",
            more=offline if settings().offline else "",
        )  # fmt: skip
        return
    latest = jobs.latest((_VERB, "fetch", source))
    if latest and not latest.ended:
        return
    if latest and latest.state == "done" and st.session_state.get(_SEEN) != latest.id:
        st.session_state[_SEEN] = latest.id
        look_for_models()
        _offer.clear()
        st.rerun()
    if holds_checkpoints(source):
        _offer_training(source)
        return
    offered = _offer(source, rights())
    notices.text(f"{offer_in_words(offered)}.")
    if offered.folder is None:
        _offer_to_fetch(source, offered, latest)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _link_to_pages(offered.kind, source)
        here = is_folder(source) or is_address(source)
        if here and not folder_list.contains(source) and rights().everything:
            st.button("Add to the list", icon=":material/add:", key="keep_model", on_click=_keep, args=(source,))


def _offer_training(folder: str) -> None:
    """What a folder holds that is no model but has checkpoints, and where their benchmark is followed."""
    every = checkpoints(folder)
    notices.write(
        "$n in this folder: $names. Any of them can be named alone.", n=notices.counted(len(every), "checkpoint"),
        names=shorten(", ".join(one.name for one in every), _NAMES),
    )  # fmt: skip
    st.page_link(
        "pages/zero_shot.py", label="Follow their training under Benchmarks", icon=":material/timeline:",
        query_params={"checkpoints": folder, "benchmark_view": "Checkpoints"},
    )  # fmt: skip


def _keep(folder: str) -> None:
    """Callback: the folder is in the table and in every chooser from now on, and its card is open."""
    st.session_state[NAMED] = ""
    st.query_params[PARAMETER] = folder_list.add(folder)
    look_for_models()


def _offer_to_fetch(source: str, offered: Offer, latest: jobs.Job | None) -> None:
    if latest and latest.error:
        notices.error(latest.error)
    if latest and latest.state == "cancelled":
        notices.note("Stopped. Complete files are kept: fetching again continues from there.")
    with st.expander(notices.counted(len(offered.files), "file")):
        show_table(
            pd.DataFrame(offered.files.items(), columns=["file", "bytes"]),
            column_config={"file": "File", "bytes": st.column_config.NumberColumn("Bytes", format="localized")},
            alt="Files to fetch",
        )
    st.button(
        f"Fetch ({max(offered.megabytes, 0.1):,.1f} MB)", type="primary", icon=":material/download:",
        key="fetch_model", on_click=_fetch, args=(source,),
    )  # fmt: skip


def _fetch(source: str) -> None:
    with notices.explained_errors():
        refuse_closed(source)
        jobs.start((_VERB, "fetch", source), f"Fetching {source}")


@st.cache_resource(ttl="1m", max_entries=64, show_spinner="Looking it up …", hash_funcs={Rights: repr})
def _offer(source: str, allowed: Rights) -> Offer:  # noqa: ARG001
    """What a name would bring, to somebody who may name as much; ModelError in words."""
    return offer(source)


def show_memory() -> None:
    """A line for each model, the one used last first; the limit and what happens there."""
    held = resources.model_cache().held()
    used, most = sum(one.megabytes for one in held), settings().cached_models_mb
    if not held:
        notices.note("No model is in memory. One is loaded when a page needs new scores from it.")
    models: dict[str, list[Held]] = {}
    for one in reversed(held):
        models.setdefault(str(one.recipe.model.folder), []).append(one)
    for folder, scorers in models.items():
        key, count = digest(folder)[:12], len(scorers)
        with st.container(horizontal=True, vertical_alignment="center", key=f"held_{key}"):
            if rights().may("housekeeping"):
                free = partial(_unload, scorers)
                st.button("Unload", icon=":material/eject:", key=f"unload_{key}", on_click=free, width=120)
            with st.container(gap=None):
                name, size = scorers[0].recipe.model.name, _size(sum(scorer.megabytes for scorer in scorers))
                notices.write("<strong>$name</strong> · $size", name=name, size=size)
                copies = f" ({count} copies: each way of scoring has its own)" if count > 1 else ""
                notices.write("Kept for $kept$copies", "pl-quiet", kept="; ".join(map(_kept, scorers)), copies=copies)
    notices.write(
        "$total Limit: $limit (PAIRLENS_CACHED_MODELS_MB). Above it, the model that has not been used for longest is "
        "unloaded; it is loaded again when a page needs it.",
        "pl-quiet", total=f"{_size(used)} in all." if len(models) > 1 else "", limit=notices.size(most * 1e6),
    )  # fmt: skip


def _unload(scorers: Sequence[Held]) -> None:
    for one in scorers if rights().may("housekeeping") else ():
        resources.model_cache().let_go(one.recipe.fingerprint)


def _kept(one: Held) -> str:
    """The scorer, and those choices behind its scores that are not the usual ones."""
    usual, kind = _USUAL.scoring(one.recipe.kind.reads), one.recipe.kind
    choices = one.recipe.policy.scoring(kind.reads).items()
    changes = [f"{name.replace('_', ' ')} {value}" for name, value in choices if usual.get(name) != value]
    return ", ".join([f"{kind.name} scores", *changes])


def _size(megabytes: float) -> str:
    return notices.size(megabytes * 1e6) if megabytes >= 1 else "less than 1 MB"
