"""Score the texts of a run with minicons (Misra 2022) and lay the numbers beside those that Pairlens stored.

    pip install minicons torch transformers
    python minicons_run.py MODEL            (a folder, or a hub id such as org/name)

`run.json` and `requests.jsonl` lie beside this file: how texts are scored, and the texts with their stored scores.
`--output FILE` keeps minicons' numbers, one JSON record per text.
"""

import argparse
import json
import math
from bisect import bisect_right
from itertools import groupby
from pathlib import Path

from minicons import scorer

HERE = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description="Score the texts of a run with minicons.")
    parser.add_argument("model", help="a folder with the model, or a hub id such as org/name")
    parser.add_argument("--revision", default=None, help="the commit of a hub model")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--output", type=Path, help="minicons' numbers: a .jsonl file")
    given = parser.parse_args()
    run = json.loads((HERE / "run.json").read_text("utf-8"))
    requests = [json.loads(line) for line in (HERE / "requests.jsonl").open(encoding="utf-8")]
    score = {"causal": causal, "masked": masked}[run["scorer"]](at_revision(given), given.device, run["policy"])
    order = sorted(range(len(requests)), key=lambda place: len(requests[place]["text"]))
    for start in range(0, len(order), given.batch_size):
        batch = [requests[place] for place in order[start : start + given.batch_size]]
        for request, scores in zip(batch, score(batch), strict=True):
            request["minicons"] = math.fsum(scores) if scores else math.nan
            request["minicons_n"] = len(scores)
    report(run, requests)
    if given.output:
        keep(requests, given.output)


def at_revision(given):
    """The model as minicons is given it: a hub model at a commit is fetched first."""
    if not given.revision or Path(given.model).is_dir():
        return given.model
    from huggingface_hub import snapshot_download

    return snapshot_download(given.model, revision=given.revision)


def causal(name, device, policy):
    """From left to right. The tokens are cut by the tokenizer from context and text together; a token that reaches
    from the context into the text counts as part of the text."""
    model = scorer.IncrementalLMScorer(name, device, dtype=policy["dtype"])
    tokenizer = model.tokenizer
    start, window = start_symbol(tokenizer, policy["first_token"]), window_of(model)

    def score(batch):
        rows, offsets = [], []
        for request in batch:
            ids, first = cut(tokenizer, request)
            rows.append([*start, *ids])
            # minicons never scores the first token of a row; an offset of 0 begins with the second.
            offsets.append(max(first + len(start) - 1, 0))
        fit = [len(row) <= window for row in rows]
        rows, offsets = ([one for one, fits in zip(all_, fit, strict=True) if fits] for all_ in (rows, offsets))
        if not rows:
            return [[] for _ in batch]
        encoded = tokenizer.pad({"input_ids": rows}, return_tensors="pt")
        found = iter(model.compute_stats((encoded, offsets), return_tensors=True))
        return [next(found).tolist() if fits else [] for fits in fit]

    return score


def window_of(model):
    """How many tokens the model reads. minicons does not read longer texts piece by piece: they go without scores."""
    known = getattr(model.model.config, "max_position_embeddings", None), model.tokenizer.model_max_length
    return min(number for number in known if number)


def start_symbol(tokenizer, first_token):
    """The tokens that every text follows."""
    if first_token == "tokenizer":
        framed, plain = (tokenizer("a", add_special_tokens=add)["input_ids"] for add in (True, False))
        return framed[: framed.index(plain[0])]
    if first_token != "bos":
        return []
    symbol = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    if symbol is None:
        raise SystemExit("This tokenizer has no start symbol, after which the texts of this run were scored.")
    return [symbol]


def cut(tokenizer, request):
    """The tokens of context and text, and the place of the first one that reaches beyond the context."""
    whole, reach = request["context"] + request["text"], len(request["context"])
    encoded = tokenizer(whole, add_special_tokens=False, return_offsets_mapping=True)
    places = (place for place, (_, end) in enumerate(encoded["offset_mapping"]) if end > reach or not reach)
    return encoded["input_ids"], next(places)


class InWords(dict):
    """Encoded texts for minicons, which masks a token with those after it that have the same `word_ids`."""

    def __init__(self, encoded, starts, spans, texts):
        super().__init__(encoded)
        found = zip(range(len(texts)), starts, spans, texts, strict=True)
        self.words = [words_of(encoded.word_ids(row), *of_text) for row, *of_text in found]

    def word_ids(self, batch_index):
        return self.words[batch_index]


def words_of(ids, starts, spans, text):
    """The word of each token: the one that holds its first character that is not white space, by where words start.
    Without `starts`, words are those of the tokenizer, `ids`. The symbols that frame a text belong to none."""
    if starts is None:
        return ids
    firsts = (start + len(text[start:]) - len(text[start:].lstrip()) for start, _ in spans)
    return [None if id is None else bisect_right(starts, first) for id, first in zip(ids, firsts, strict=True)]


def masked(name, device, policy):
    """Pseudo-log-likelihoods: each token masked in turn, the context seen."""
    model = scorer.MaskedLMScorer(name, device, dtype=policy["dtype"])
    tokenizer = model.tokenizer
    # Tokenizers may name the symbols that frame a text otherwise; minicons would score them.
    model.cls_token_id = tokenizer.cls_token_id if tokenizer.cls_token_id is not None else tokenizer.bos_token_id
    model.sep_token_id = tokenizer.sep_token_id if tokenizer.sep_token_id is not None else tokenizer.eos_token_id
    window = window_of(model)

    def score(batch):
        texts = [request["context"] + request["text"] for request in batch]
        fit = [len(ids) <= window for ids in tokenizer(texts)["input_ids"]]
        found = iter(scores_of([request for request, fits in zip(batch, fit, strict=True) if fits]))
        return [next(found) if fits else [] for fits in fit]

    def scores_of(batch):
        if not batch:
            return []
        texts = [request["context"] + request["text"] for request in batch]
        encoded = tokenizer(texts, padding=True, return_tensors="pt", return_offsets_mapping=True)
        spans = encoded.pop("offset_mapping").tolist()
        starts = [
            next(place for place, (_, end) in enumerate(row) if end > len(request["context"]))
            for row, request in zip(spans, batch, strict=True)
        ]
        encoded = InWords(encoded, [request.get("words") for request in batch], spans, texts)
        rows = model.get_masked_tensors(encoded, PLL_metric=policy["pll"], targets_start=starts)
        return [scores.tolist() for scores in model.compute_stats(rows, return_tensors=True)]

    return score


def report(run, requests):
    """Both sets of numbers side by side."""
    items = [list(rows) for _, rows in groupby(requests, key=lambda request: request["item"])]
    print(f"{len(items):,} items, {len(requests):,} texts; log-probabilities in nats")
    known = [one for one in requests if is_known(one)]
    if unscored := len(requests) - len(known):
        print(f"{unscored:,} texts are not compared: one of the two did not score them (too long for minicons?)")
    if known:
        far = max(known, key=lambda one: abs(one["minicons"] - one["logprob"]))
        print(
            f"largest difference: {abs(far['minicons'] - far['logprob']):.2g} nats, text {far['candidate']} of item "
            f"{far['item']!r}: minicons {far['minicons']:.5f}, Pairlens {far['logprob']:.5f}"
        )
    several = [rows for rows in items if len(rows) > 1 and all(is_known(one) for one in rows)]
    if several:
        same = sum(likeliest(rows, run, "minicons") == likeliest(rows, run, "logprob") for rows in several)
        print(f"the same text is likeliest in {same:,} of {len(several):,} items")
    counted = [rows for rows in items if rows[0]["weight"]]
    if run["accuracy"] is not None and all(is_known(one) for rows in counted for one in rows):
        found = math.fsum(rows[0]["weight"] * credit(rows, run, "minicons") for rows in counted)
        print(f"accuracy, ties count {run['policy']['ties']}: minicons {found:.4%}, Pairlens {run['accuracy']:.4%}")


def is_known(request):
    """Whether both programs could score a text."""
    return request["logprob"] is not None and not math.isnan(request["minicons"])


def value(request, run, name):
    """What texts are compared by: the sum, or the mean per token, of their log-probabilities."""
    total = math.nan if request[name] is None else request[name]
    if run["policy"]["sentence_value"] == "sum":
        return total
    length = request["minicons_n"] if name == "minicons" else request["n_scored"]
    if run["policy"]["first_token"] == "one":  # the first token counts as certain in averages
        length = request["n_tokens"]
    return total / length if length else math.nan


def likeliest(rows, run, name):
    """The places of the texts with the highest value."""
    values = [value(request, run, name) for request in rows]
    return {place for place, one in enumerate(values) if one == max(values)}


def credit(rows, run, name):
    """What an item counts, 0 to 1: an exact tie counts as the run's policy says."""
    best = likeliest(rows, run, name)
    (right,) = (place for place, request in enumerate(rows) if request["label"] == request["gold"])
    if right not in best:
        return 0.0
    return {"half": 1 / len(best), "correct": 1.0, "wrong": float(len(best) == 1)}[run["policy"]["ties"]]


def keep(requests, path):
    """Write minicons' numbers."""
    with path.open("w", encoding="utf-8") as file:
        for one in requests:
            record = {name: one[name] for name in ("item", "candidate", "minicons", "logprob")}
            record["minicons"] = None if math.isnan(one["minicons"]) else one["minicons"]
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
