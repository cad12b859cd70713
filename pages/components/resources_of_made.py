"""What the server process keeps for "How this number was made"; all the rest is in `resources`."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.receipts.bibtex import bibtex, keys_of, model_of
from core.receipts.methods import methods
from core.receipts.run import FEW, receipt, receipt_of_item
from pages.components.resources import store
from pages.components.show_receipt import Made


def made(run_id: str, metric: str = "", group: str = "") -> Made:
    """How a number of a run was made, a few items worked out; StoreError or PolicyError in words."""
    return _made(run_id, _state(run_id), metric, group)


@st.cache_resource(max_entries=32, show_spinner="Following the number …")
def _made(run_id: str, state: tuple[object, ...], metric: str, group: str) -> Made:  # noqa: ARG001
    told = receipt(store(), run_id, metric, group, most=FEW)
    return Made(told, methods(told), bibtex(keys_of(told), model_of(told)), (run_id,))


def whole(run_id: str, metric: str, group: str) -> dict[str, Any]:
    """The same receipt with every item worked out, for a file."""
    return receipt(store(), run_id, metric, group, most=None)


def item(run_id: str, name: str, metric: str) -> dict[str, Any]:
    """How an item of a run came to count what it counts."""
    return _item(run_id, _state(run_id), name, metric)


@st.cache_resource(max_entries=128, show_spinner="Following the item …")
def _item(run_id: str, state: tuple[object, ...], name: str, metric: str) -> dict[str, Any]:  # noqa: ARG001
    return receipt_of_item(store(), run_id, name, metric)


def _state(run_id: str) -> tuple[object, ...]:
    """What changes when a run is made again."""
    manifest = store().manifest(run_id)
    return manifest["state"], manifest.get("finished")
