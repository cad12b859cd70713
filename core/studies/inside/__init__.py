"""Where in a network a decision falls: states of one beginning put into the run of another.

question      two beginnings, two forms, and what is computed of them
tokens        the tokens of both beginnings, and which belong together
values        what a form is worth in each cell
pair          one pair: its map, its ladder, and what comes next with a patch
proposal      a second beginning for a typed one
table         tables of beginnings, from every format that has them
templates     items drawn from CausalGym's templates
regions       the regions by which the maps of many items are laid over each other
runs          a table as a stored run, with both controls
average       the mean map of a run, with intervals
wording       the answers as sentences and tables of text
receipt       how they were computed
"""

from __future__ import annotations

from core.studies.inside.pair import Inside, coming_next, inside
from core.studies.inside.question import Question, patched

__all__ = ["Inside", "Question", "coming_next", "inside", "patched"]
