"""Lessons: the verb `take-home`."""

from __future__ import annotations

from pairlens.api.asking import Data, as_file
from pairlens.studies.lesson import read


def take_home(lesson: Data, model: str = "", *, votes: Data | None = None) -> str:
    """The HTML of one file that needs no network: a lesson or pairs, with their model in JavaScript.

    `lesson` is a TOML file or a table of pairs, `votes` what a class voted: step, choice, votes. The model is a
    causal one of the kind that is trained here; by default the one that the lesson names, else english-small.

    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"good": ["The keys are here."], "bad": ["The keys is here."]})
    >>> len(pairlens.take_home(pairs).encode()) < 8_000_000
    True
    """
    from pairlens.studies.take_home.making import read_votes
    from pairlens.studies.take_home.making import take_home as page

    with as_file(lesson) as path:
        steps = read(path)
    if votes is None:
        return page(steps, model)
    with as_file(votes) as path:
        return page(steps, model, read_votes(path, steps))
