"""The likeliest continuations of a prefix, as a table that draws itself in a notebook."""

import pandas as pd

from pairlens.charts.drawing import Chart, svg, wide
from pairlens.charts.next_word import PIECE, WORD, likeliest


class Continuations(pd.DataFrame):
    """rank, text, logprob, probability; `attrs` has `prefix`, `model`, `by` (`word` or `piece`) and `proved`.

    What is selected or computed from it is an ordinary data frame.
    """

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    @property
    def finding(self) -> str:
        """The likeliest one, in a sentence."""
        first = self.iloc[0]
        return (
            f"After “{self.attrs['prefix']}”, {self.attrs['model']} expects “{first['text']}” most "
            f"({first['probability']:.1%})."
        )

    @property
    def chart(self) -> Chart:
        """Bars of probability, likeliest first."""
        what = WORD if self.attrs["by"] == "word" else PIECE
        return wide(likeliest(pd.DataFrame(self).rename(columns={"text": "label"}), self.finding, what))

    def _repr_html_(self) -> str | None:
        drawing = svg(self.chart, inherited=True) if len(self) else ""
        return f"{drawing}{pd.DataFrame(self).to_html(index=False)}"
