"""Numbers and speed of servers and files beside our own: `python -m tests.benchmarks.servers PAIRS NAME...`.

PAIRS is a file or folder of BLiMP, of which 2,000 pairs are taken from all paradigms alike; each NAME is the address
of a server or `llamacpp:FILE`, with the tokenizer of the model that it holds. Prints a table in Markdown.
"""

import sys
import time
from pathlib import Path

from pairlens import servers
from pairlens.scoring.recipe import recipe_of
from pairlens.scoring.same_numbers import compare
from pairlens.tasks import TASKS
from pairlens.types import Request

MOST = 2_000


def pairs_of(path):
    """As many from each paradigm, at most `MOST` in all."""
    items = [*TASKS["blimp"].read(Path(path))]
    every = max(1, len(items) // MOST)
    return [tuple(candidate.text for candidate in item.candidates) for item in items[::every]][:MOST]


def per_second(recipe, pairs):
    scorer, requests = recipe.open(), [recipe.request(Request("", text)) for pair in pairs for text in pair]
    scorer.score(requests[:8])  # the self-test, and what is loaded when it is first needed
    start = time.perf_counter()
    scorer.score(requests)
    return len(requests) / (time.perf_counter() - start)


def main(path, names):
    pairs = pairs_of(path)
    print(f"{len(pairs):,} pairs\n")
    print("| server | largest (nats) | median | flips | their margins in float32 | texts per second | ours |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        recipe, own = recipe_of(name), recipe_of(servers.parsed(name).tokenizer)
        done = compare(recipe, own, pairs)
        margins = ", ".join(f"{flip.margin_reference:.2g}" for flip in done.flips[:5])
        cells = (recipe.model.card["server"], f"{done.largest:.2g}", f"{done.median:.2g}", len(done.flips), margins,
                 f"{per_second(recipe, pairs):,.0f}", f"{per_second(own, pairs):,.0f}")  # fmt: skip
        print("|", " | ".join(map(str, cells)), "|", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
