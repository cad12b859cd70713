"""The table of results, as Markdown."""

import math
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")
_COLUMNS = ("case", "system", "sentences", "seconds", "ratio", "share of limit", "peak MiB", "status")
_ABOUT = """\
# How fast, beside others

Written by `make bench`; read ratios, not digits. {machine}. Sentences: {source}.

- *seconds*: the median of the undisturbed turns. All systems of a case take turns in one process, in random order, on
  the same weights: others on the network as transformers loads it. Tokenising is inside, loading outside.
- *ratio*: the system's seconds over Pairlens's: how many times faster Pairlens is.
- *share of limit*: the floating-point work that cannot be avoided (each distinct prefix, or masked row, once) at the
  rate of one large matrix product, by the faster of torch's libraries, on the same cores in the same run, over the
  seconds.
- *peak MiB*: the most memory beyond what was resident before, in a run after a first one.
- *status*: how far its scores are from Pairlens's, in nats per sentence, and how many turns others left undisturbed.
  Within words they differ where a word is written with a mark inside it: *aren't* is one word here, three for
  minicons and NLPScholar. NLPScholar's scores of masked models depend on the batch.

The last cases are whole jobs: processes from their start to the report, with all that is read, kept and computed
from the scores. What each program says at the end is in *status*: the accuracy on BLiMP, the score of eye tracking,
SS, the difference in surprisal. Servers are compared in [their own table](../../docs/servers.md).
"""


@dataclass(frozen=True)
class Line:
    """One row of the table; NaN for what does not apply."""

    case: str
    system: str
    sentences: int
    seconds: float
    ratio: float
    share: float
    peak: float
    status: str

    def cells(self):
        return [
            self.case, self.system, str(self.sentences or "–"), _number(self.seconds, ".3f"),
            _number(self.ratio, ".2f"), _number(100 * self.share, ".0f", " %"), _number(self.peak, ".0f"),
            self.status,
        ]  # fmt: skip


def write(path, found, machine, source):
    """Write the table of these cases, in their order."""
    rows = [_COLUMNS, ("---",) * len(_COLUMNS), *(line.cells() for lines in found.values() for line in lines)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    path.write_text(f"{_ABOUT.format(machine=machine, source=source)}\n{table}\n", "utf-8")


def _number(value, form, unit=""):
    return "–" if math.isnan(value) else f"{value:{form}}{unit}"
