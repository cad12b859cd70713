"""A result in a notebook: what was found, its chart, the first rows of its first table, its signature."""

from itertools import chain

from pairlens.results import printed
from pairlens.results.printed import Numerals
from pairlens.results.report import rows
from pairlens.results.result import Result
from pairlens.results.text import unsaid

_ROWS = 12


def html(result: Result, table: str = "") -> str:
    """As HTML without scripts, in the colours of whatever it stands in, with the table of this name, by default the
    first."""
    findings = [*chain.from_iterable(result.sentences.values())]
    numerals, shown = Numerals(), result.table(table)
    figures = [
        printed.figure(figure.draw(result.table(figure.table).frame), figure.finding, numerals)
        for figure in result.figures[:1]
    ]
    return (
        printed.environment()
        .get_template("notebook.html")
        .render(
            findings=[*result.sentences.items()],
            notices=result.cautions,
            figures=figures,
            unsaid=" ".join(unsaid(figures[0].finding, findings)) if figures else "",
            first=rows(shown, numerals, f"{shown.title}.", _ROWS),
            signature=result.provenance.signature,
        )
    )
