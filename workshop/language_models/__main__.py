"""Make a bundled language model again: `python -m workshop.language_models NAME`."""

from __future__ import annotations

import sys
from functools import partial

from pairlens.training.recipe import Progress
from workshop.language_models.options import run
from workshop.language_models.recipes import MODELS, make


def show(progress: Progress) -> None:
    """One line for every validation, on standard error."""
    if progress.stage != "training" or progress.validation_loss is not None:
        loss = "" if progress.validation_loss is None else f"{progress.validation_loss:.3f} nats"
        print(f"{progress.stage} {progress.fraction:.0%} {loss}".rstrip(), file=sys.stderr)


if __name__ == "__main__":
    run(partial(make, report=show), f"Make a bundled model again from its corpora: {', '.join(MODELS)}.")
