"""The mean map of a stored run over many items, with intervals and both controls."""

import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart, show_downloads
from pairlens.charts.inside import mean_cells, state_map
from pairlens.messages import counted
from pairlens.studies.inside import wording
from pairlens.studies.inside.question import DIRECTIONS
from pairlens.studies.inside.runs import MeanMap, mean_map

_CONTROLS = {
    "unrelated": "Control: states of an unrelated beginning with the receiver's own right form",
    "random": "Control: random directions of the same size",
}


def show_mean_map(run_id: str) -> None:
    """Both directions side by side, each over its controls; StoreError in words."""
    mean = _mean_map(run_id, resources.store().manifest(run_id).get("finished", ""))
    for column, direction in zip(st.columns(2, gap="large"), DIRECTIONS, strict=True):
        with column:
            cells = mean_cells(mean.cells[mean.cells["direction"] == direction], mean.n)
            title = wording.mean_title(direction)
            finding = f"Mean difference: {abs(mean.differences[direction]):.1f} bits, over {counted(mean.n, 'item')}."
            notices.write("<strong>$title</strong>. $finding", title=title, finding=finding)
            show_chart(state_map(cells, f"{title}. {finding}"), f"mean_map_{direction}")
            for name, control in _CONTROLS.items():
                if cells[name].notna().any():
                    notices.text(control, "pl-quiet")
                    show_chart(state_map(cells, f"{title}. {control}", name), f"mean_map_{direction}_{name}")
    notices.write(
        "Shares are of the mean difference, intervals of 95 % over items (point at a cell). Bold: the interval "
        "overlaps that of neither control. $evidence", "pl-quiet", evidence=wording.EVIDENCE,
    )  # fmt: skip
    show_downloads("mean-map", mean.cells)


@resources.remembered()
def _mean_map(run_id: str, finished: str) -> MeanMap:  # noqa: ARG001
    return mean_map(resources.store(), run_id)
