"""How a stored run's numbers were made: from a metric to its items, an item's candidates, a candidate's tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core import measures
from core.analysis.summary import OVERALL
from core.metrics import METRICS
from core.runs.receipts import wording
from core.runs.receipts.run import as_json
from pages.components.results import resources as kept
from pages.components.shared import notices, resources
from pages.components.shared.receipt import receipt_of_run, show_parts
from pages.components.shared.tables import show_table

_ITEM = {
    "item": "Item", "weight": "Weight", "tie": "Tie", "undecided": "Too close", "left_out": "Left out because",
    "correct": "Counts", "margin": "Margin (nats)",
}  # fmt: skip
_TOKEN = {
    "token": "Token", "id": "Id",
    "logprob": st.column_config.NumberColumn("log p (nats)", format="%.4f"),
    "surprisal": st.column_config.NumberColumn("Surprisal (bits)", format="%.4f"),
}  # fmt: skip


def show_made(run_id: str) -> None:
    """Choose a number and follow it down; then the sentence, BibTeX and JSON to take away."""
    metric, group = _choose_number(run_id)
    made = receipt_of_run(run_id, metric, group)
    for line in [*made.receipt["missing"], *_remarks(made.receipt)]:
        notices.note(line)
    _lines(wording.of_number(made.receipt))
    if name := _choose_item(made.receipt, run_id):
        _show_item(kept.item(run_id, name, metric))
    _show_origin(made.receipt)
    st.download_button(
        "All items, down to the tokens (JSON)", lambda: as_json(kept.whole(run_id, metric, group)),
        f"{run_id}-receipt.json", "application/json", key="get_whole_receipt", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip
    show_parts(made, run_id)


def _choose_number(run_id: str) -> tuple[str, str]:
    """A metric and a group of the run, as `core.runs.receipts.numbers.number_of` takes them."""
    manifest = resources.store().manifest(run_id)
    if manifest["state"] != "done":
        return "", ""
    rows = resources.store().metrics(run_id)
    with st.container(horizontal=True):
        metric = st.selectbox(
            "Number", rows["name"].unique().tolist(), format_func=lambda name: METRICS[name].title, key="made_metric",
            width=280, persist_state="session",
        )  # fmt: skip
        named = rows[rows["name"] == metric][["group_by", "group"]].drop_duplicates()
        groups = [f"{by}={group}" for by, group in zip(named["group_by"], named["group"], strict=True)]
        group = st.selectbox(
            "Of", groups, format_func=_named, key=f"made_group_{metric}", width=360, persist_state="session"
        )
    return metric, group


def _named(group: str) -> str:
    by, _, value = group.partition("=")
    if by == OVERALL:
        return {"macro": "all items, mean of group means", "micro": "all items, plain mean", "all": "all items"}[
            value
        ]
    return f"{by}: {value}"


def _choose_item(receipt: Mapping[str, Any], run_id: str) -> str | None:
    """The items that enter, and the one that is followed down."""
    listed = receipt["items"]["listed"]
    if listed is None:
        ids: list[str] = [item["item"] for item in receipt["worked"]]
        notices.write("A few of the items, as examples; the file below has all of them.", "pl-quiet")
    else:
        ids = [item["item"] for item in listed]
        table = pd.DataFrame([{**item, **item["values"]} for item in listed]).drop(columns="values")
        with st.expander("The items behind this number, with their weights", icon=":material/list:"):
            show_table(table, column_config=_ITEM, height=280)
    if not ids:
        return None
    return st.selectbox("Show one item in full", ids, key=f"made_item_{run_id}", width=360, persist_state="session")


def _show_item(receipt: Mapping[str, Any]) -> None:
    (item,) = receipt["worked"]
    _lines(wording.of_item(receipt))
    for candidate in item["candidates"]:
        with st.container(gap="xxsmall"):
            _show_candidate(candidate, receipt["rule"])


def _show_candidate(candidate: Mapping[str, Any], rule: Mapping[str, Any]) -> None:
    text = f"{candidate.get('context') or ''}{candidate.get('text') or ''}"
    notices.write("<b>$label</b> <bdi>$text</bdi>", label=candidate["label"], text=text)
    _lines(wording.of_candidate(candidate, rule))
    for request in candidate["requests"]:
        if request["tokens"] and request["weight"]:
            tokens = pd.DataFrame(request["tokens"], dtype="object").astype({"logprob": "float64"})
            tokens["surprisal"] = measures.surprisal(tokens["logprob"].to_numpy())
            show_table(tokens[list(_TOKEN)], column_config=_TOKEN)


def _show_origin(receipt: Mapping[str, Any]) -> None:
    """The stored files that were read, what made them, and what they are recognised by."""
    with st.expander("Stored files, model and data", icon=":material/inventory_2:"):
        show_table(pd.DataFrame([_part(part) for part in receipt["parts"]]))
        model, data = receipt["model"], receipt["data"]["sha256"]
        digests = {**model, "data sha256": data, "fingerprint": receipt["fingerprint"]}
        _lines([f"{name.replace('_', ' ')}: {value}" for name, value in digests.items() if value])


def _part(part: Mapping[str, Any]) -> dict[str, object]:
    made = dict(part["provenance"])
    told = (made.pop("versions", None) or {}) | made
    return {
        "Stored part": part["part"],
        "Texts used": part["requests_used"],
        "sha256 of its scores": part["sha256"]["scores"],
        "Made with": " · ".join(f"{name} {value}" for name, value in told.items() if value not in ("", None)),
    }


def _remarks(receipt: Mapping[str, Any]) -> list[str]:
    return [line for line in receipt["notes"] if "worked out here" not in line]


def _lines(lines: list[str]) -> None:
    """Sentences below each other."""
    named = {f"line{place}": line for place, line in enumerate(lines)}
    notices.write("<br>".join(f"${name}" for name in named), "pl-plain", **named)
