"""What is left out, what is strange in the files, and whether the order of the examples matters."""

from __future__ import annotations

import pandas as pd

from core.studies.stereoset.order import ORDER_CHECK
from pages.components.shared import notices
from pages.components.shared.tables import show_table
from pages.components.stereoset import resources as resources
from pages.components.stereoset.results import StereoSetResult


def show_checks(one: StereoSetResult) -> None:
    """The order check, then remarks about the files, each with its place."""
    notices.write("$what", what=ORDER_CHECK)
    if resources.order_does_not_matter(one):
        notices.note("Passed: every number is the same in another order.")
    else:
        notices.warning("Failed: numbers change with the order of the examples. Do not believe them.")
    for note in one.measured.notes:
        notices.write("$note", note=note)
    remarks = [(str(one.where), one.text, "left out") for one in one.measured.left_out]
    remarks += [(str(one.where), one.text, "used") for one in one.examples.notes]
    if not remarks:
        notices.write("Nothing is left out, and nothing in the files is strange.")
        return
    show_table(
        pd.DataFrame(remarks, columns=["Where", "What", "This example is"]),
        alt="What is left out or strange, and where",
    )  # fmt: skip
