"""One run in full: its numbers in words, its items, how they were made, other policies, what to take along."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.datasets import FILE, UPLOAD
from pages.components.shared.paradigms import choose_metric, show_paradigms
from pages.components.shared.receipt import receipt_of_run, show_parts, state_of
from pages.components.shared.run_policies import show_run_policies
from pages.components.shared.runs import PROGRAMS, show_run_evidence
from pages.components.shared.show_mean_map import show_mean_map
from pages.components.shared.show_result import show_findings
from pages.components.shared.tables import real, show_table
from pairlens import measures
from pairlens.analysis.summary import OVERALL
from pairlens.evaluation.evaluate import data_name
from pairlens.evaluation.receipts.methods import of_candidate, of_item, of_number
from pairlens.evaluation.receipts.run import as_json
from pairlens.evaluation.receipts.run import receipt as receipt_of
from pairlens.evaluation.result import Run
from pairlens.evaluation.run_list import title_of
from pairlens.files.datasets import of_task
from pairlens.metrics import METRICS
from pairlens.reports.reproduction import FORMS, why_not
from pairlens.reports.run_report import html_report
from pairlens.reports.run_report.result import result_of
from pairlens.store import uploads, visitors
from pairlens.store.run_annotations import LOST, Annotations, annotations_of
from pairlens.studies.agreement.answers import SETS

OWN_PAGES = {"Entailment": "pages/nli.py", "Stereotypes": "pages/stereoset.py"}
"""Pages of tasks whose runs are not opened there, by the name that the task gives its page."""
TYPED, MOST_TYPED = "typed", 10
"""The data of runs that Compare has saved, and how many pairs a link back there can have."""
_ITEM = {
    "item": "Item", "weight": "Weight", "tie": "Tie", "undecided": "Too close", "left_out": "Left out because",
    "correct": "Counts", "margin": real("Margin (nats)"),
}  # fmt: skip
_TOKEN = {
    "token": "Token", "id": "Id",
    "logprob": st.column_config.NumberColumn("log p (nats)", format="%.4f"),
    "surprisal": st.column_config.NumberColumn("Surprisal (bits)", format="%.4f"),
}  # fmt: skip


def show_stored_run(run_id: str) -> None:
    """The run that is opened; what is to be done about one that is not finished."""
    manifest = resources.store().manifest(run_id)
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(notices.literal(title_of(manifest)), anchor=False)
        st.space("stretch")
        st.button("Close", icon=":material/close:", on_click=_close)
    _say_where_from(run_id, manifest)
    if manifest["state"] != "done":
        why = manifest.get("error") or "It is not finished."
        notices.note(
            f"This run is {manifest['state']}. {why} Its scores so far are stored: start it again to continue."
        )
        return
    result = resources.result(run_id)
    show_findings(result_of([result], resources.store()))
    if result.manifest["n"] and result.candidates["logprob"].isna().all():
        notices.warning(
            "The scores of this run are no longer stored, so its items cannot be shown. Run it again to score its "
            "texts again; the number stays."
        )
    notices.text(manifest["signature"], "pl-piece pl-quiet")
    metric = choose_metric(result)
    _, _, clicked = show_paradigms([result], metric)
    if result.task.name == "inside":
        show_mean_map(run_id)
    tabs = {
        "How this number was made": lambda: show_made(run_id),
        "All policies": lambda: show_run_policies(run_id),
        "Report and code": lambda: show_reproduction(run_id),
    }
    show_run_evidence(result, metric, clicked, tabs)
    page, link = page_of(run_id)
    st.page_link(page, label="Open its page", icon=":material/open_in_new:", query_params=link)


def page_of(run_id: str) -> tuple[str, Mapping[str, str | list[str]]]:
    """The page that shows a run as it was, and its link: of typed sentences Compare, with them and the choices."""
    result = resources.result(run_id)
    if link := resources.store().manifest(run_id).get("link"):  # the result's may be older than the last saving
        return "pages/minimal_pairs.py", parse_qs(str(link))
    model = result.manifest["model"]
    if own := result.task.page:  # on which runs are not opened
        return OWN_PAGES[own], link_with_data(result, model)
    if result.manifest["data"] == TYPED and result.manifest["n"] <= MOST_TYPED:
        texts = result.candidates.groupby("candidate")["text"].agg("\n".join)
        changes = ",".join(f"{field}:{value}" for field, value in result.policy.changes().items())
        link = {
            "a": texts[0],
            "b": texts[1],
            "model": model,
            "as": result.policy.name.partition(",")[0],
            "but": changes,
        }
        return "pages/compare.py", {name: value for name, value in link.items() if value}
    return "pages/agreement.py" if result.task.name in SETS else "pages/zero_shot.py", {"run": run_id}


def link_with_data(result: Run, model: str) -> Mapping[str, str]:
    """What such a page asks: the model and, where they are still on this machine, the run's data."""
    name, data = result.task.name, result.manifest["data"]
    if name not in ("nli", "stereoset"):
        return {"test_set": "GEST, EuroGEST"}
    link = {"nli_model" if name == "nli" else "model_name": model}
    if public := next((one.title for one in of_task(name) if one.name == data), ""):
        link |= {"data": "public", "public": public} if name == "nli" else {"data": public}
    elif upload := next((one.id for one in uploads.kept() if data_name(one.path) == data), ""):
        link |= {"data": "upload", "nli_gold_files": upload} if name == "nli" else {"data": UPLOAD, FILE: upload}
    return link


def _close() -> None:
    st.query_params.pop("run", None)


def _say_where_from(run_id: str, manifest: Mapping[str, Any]) -> None:
    """Tags and note, and what cannot be vouched for because it was made elsewhere."""
    annotations = annotations_of(resources.store(), run_id)
    if not visitors.may_change("runs", run_id):
        annotations = Annotations()
    if annotations.damaged:
        notices.warning(f"{LOST} Write them again, or leave it at that: the notice goes with the next tag or note.")
    if annotations.tags or annotations.note:
        tags = " · ".join(annotations.tags)
        notices.write("<strong>$tags</strong> $note", "pl-quiet", tags=tags, note=annotations.note)
    if "stated" in manifest:
        notices.warning(
            f"Scored by another program: model, policy and log-probabilities come from the file "
            f"'{manifest['stated'].get('file', '')}' and have not been checked by Pairlens."
        )
    elif "arrived" in manifest:
        notices.note(f"Imported on {manifest['arrived']['when'][:10]}; scored on another machine.")


def show_made(run_id: str) -> None:
    """Choose a number and follow it down; then the sentence, BibTeX and JSON to take away."""
    metric, group = _choose_number(run_id)
    receipt = receipt_of_run(run_id, metric, group)
    remarks = [line for line in receipt.receipt["notes"] if "worked out here" not in line]
    for line in [*receipt.receipt["missing"], *remarks]:
        notices.note(line)
    _lines(of_number(receipt.receipt))
    if name := _choose_item(receipt.receipt, run_id):
        followed = _receipt_of_item(run_id, state_of(run_id), name, metric)
        _lines(of_item(followed))
        for candidate in followed["worked"][0]["candidates"]:
            with st.container(gap="xxsmall"):
                _show_candidate(candidate, followed["rule"])
    _show_origin(receipt.receipt)
    st.download_button(
        "All items, down to the tokens (JSON)",
        lambda: as_json(receipt_of(resources.store(), run_id, metric, group, most=None)),
        f"{run_id}-receipt.json", "application/json", key="get_whole_receipt", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip
    show_parts(receipt, run_id)


def _choose_number(run_id: str) -> tuple[str, str]:
    """A metric and a group of the run, as `pairlens.evaluation.receipts.numbers.number_of` takes them."""
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


def _show_candidate(candidate: Mapping[str, Any], rule: Mapping[str, Any]) -> None:
    text = f"{candidate.get('context') or ''}{candidate.get('text') or ''}"
    notices.write("<b>$label</b> <bdi>$text</bdi>", label=candidate["label"], text=text)
    _lines(of_candidate(candidate, rule))
    for request in candidate["requests"]:
        if request["tokens"] and request["weight"]:
            tokens = pd.DataFrame(request["tokens"], dtype="object").astype({"logprob": "float64"})
            tokens["surprisal"] = measures.surprisal(tokens["logprob"].to_numpy())
            show_table(tokens[list(_TOKEN)], column_config=_TOKEN)


def _show_origin(receipt: Mapping[str, Any]) -> None:
    with st.expander("Stored files, model and data", icon=":material/inventory_2:"):
        show_table(pd.DataFrame([_part(part) for part in receipt["parts"]]))
        model, data = receipt["model"], receipt["data"]["sha256"]
        digests = {**model, "data sha256": data, "fingerprint": receipt["fingerprint"]}
        _lines([f"{name.replace('_', ' ')}: {value}" for name, value in digests.items() if value])


def _part(part: Mapping[str, Any]) -> dict[str, object]:
    provenance = dict(part["provenance"])
    versions = (provenance.pop("versions", None) or {}) | provenance
    return {
        "Stored part": part["part"],
        "Texts used": part["requests_used"],
        "sha256 of its scores": part["sha256"]["scores"],
        "Made with": " · ".join(f"{name} {value}" for name, value in versions.items() if value not in ("", None)),
    }


def _lines(lines: list[str]) -> None:
    named = {f"line{place}": line for place, line in enumerate(lines)}
    notices.write("<br>".join(f"${name}" for name in named), "pl-plain", **named)


@resources.remembered("Following the item …", 128)
def _receipt_of_item(run_id: str, state: tuple[object, ...], name: str, metric: str) -> dict[str, Any]:  # noqa: ARG001
    return receipt_of(resources.store(), run_id, metric, item=name)


def show_reproduction(run_id: str) -> None:
    """The report, and what each program of the Download menu is for, or why a run has it not."""
    result = resources.result(run_id)
    comma = st.toggle("Decimal comma", key=f"comma_{run_id}", persist_state="session", help="In the report.")
    st.download_button(
        "Report", lambda: html_report([result], resources.store(), decimal_comma=comma).encode(), f"{run_id}.html",
        "text/html", key=f"get_{run_id}.html", on_click="ignore", icon=":material/download:",
    )  # fmt: skip
    for form, about in FORMS.items():
        reason = why_not(result, form)
        caption = f"not available for this run. {reason}" if reason else f"{about}."
        notices.write("$name: $said", "pl-quiet", name=PROGRAMS[form], said=caption)
