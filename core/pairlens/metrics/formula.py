"""How often predictions about the surprisals of regions hold, each prediction of an item by itself (SyntaxGym)."""

from pairlens.metrics._formulas import predictions
from pairlens.statistics.share import Share

METRIC = Share(
    name="formula",
    title="All predictions",
    finding="Predictions about regions hold for $model in $value of $items.",
    formula="share of predictions about the surprisals of regions that hold",
    higher_is_better=True,
    cites=("gauthier2020syntaxgym",),
    decide=predictions,
    under=("conditional",),
)
