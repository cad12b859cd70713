"""Real sentences to score: pairs of BLiMP (Warstadt et al. 2020), read where they lie."""

import gzip
import json
from dataclasses import dataclass
from itertools import islice

LITTLE_SHARED = "expletive_it_object_raising"
"""The paradigm of BLiMP whose sentences share the least with each other."""


@dataclass(frozen=True)
class Texts:
    """Pairs of sentences by paradigm, and where they are from."""

    source: str
    pairs: dict[str, list[tuple[str, str]]]

    def mixed(self, sentences, paradigms=8):
        """Pairs of so many sentences, the same number from each of some paradigms."""
        names = sorted(self.pairs)
        chosen = [names[place * len(names) // paradigms] for place in range(paradigms)]
        each = max(1, sentences // (2 * paradigms))
        return [pair for name in chosen for pair in self.pairs[name][:each]][: sentences // 2]

    def unlike(self, sentences):
        """Pairs of so many sentences that share little."""
        return self.pairs[LITTLE_SHARED][: sentences // 2]

    def all(self, at_most):
        """Sentences of all paradigms in turn, to make tokenizers from."""
        rows = zip(*self.pairs.values(), strict=False)
        return [text for row in islice(rows, at_most // (2 * len(self.pairs)) + 1) for pair in row for text in pair]


def sentences_of(data):
    """BLiMP's pairs under `data`. Raises SystemExit where they are not: other text has other prefixes to share."""
    files = sorted((data / "blimp" / "data").glob("*.jsonl*"))
    if not files:
        raise SystemExit(
            f"{data / 'blimp' / 'data'} has no *.jsonl(.gz): name the folder of the public data by --data."
        )
    return Texts(f"BLiMP, {len(files)} paradigms", {file.name.partition(".")[0]: _pairs(file) for file in files})


def _pairs(file):
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    rows = map(json.loads, content.decode("utf-8").splitlines())
    return [(row["sentence_good"], row["sentence_bad"]) for row in rows]


def flat(pairs):
    return [text for pair in pairs for text in pair]
