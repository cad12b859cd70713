"""Every benchmark from its files to its headline, against code that reads, scores and counts in the plainest way.

Nothing of `pairlens` makes the expected numbers: each token is scored in an unpadded row straight from transformers,
correlations are scipy's and regressions statsmodels'.
"""

import csv
import json
import math
import re
from itertools import compress
from statistics import fmean
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import stats

from pairlens.cli import main
from pairlens.places import FOLDER as ROOT
from pairlens.statistics.intervals import over_items
from pairlens.store import Store
from tests.parity import plain
from tests.thinned import thinned

SAMPLES = ROOT / "data" / "samples"
TEMPERATURES = (0.5, 1.0, 2.0)
TOLERANCE = 2e-4
PRESETS = {"pairlens": ("bos", "within_word_l2r", 0.5), "babylm-2025": ("tokenizer", "original", 1.0)}
"""What the first token is given, what is masked, and what a tie counts."""
COMPS = {"base": "base", "wugs": "wugs", "wugs_dist-before": "wugs_dist_before"}
TIMES = ("RTfirstfix", "RTfirstpass", "RTgopast", "RTrightbound")
PREDICTORS = ("Subtlex_log10", "length", "context_length")
HEADS = {"causal": "causal", "mlm": "masked", "mntp": "masked"}
WORD = re.compile(r"\w+(?:['-]\w+)*|([^\w\s])\1*")


class Line(NamedTuple):
    """An item: its paradigm, contexts and texts of its candidates, and the record it was read from."""

    uid: str
    candidates: list
    record: dict


def lines(task):
    """The items of a sample, in the order of its files."""
    if task == "reading":
        rows = csv.DictReader((SAMPLES / task / "reading.csv").open())
        pairs = [("item", "word"), ("prev_item", "prev_word")]
        return [Line(task, [after(r[c], r[t]) for c, t in pairs if r[t]], r) for r in rows]
    if task == "aoa":
        words = json.loads((SAMPLES / task / "aoa.json").read_text()).items()
        return [Line(word, [after(c["context"], word)], c) for word, contexts in words for c in contexts]
    files = sorted((SAMPLES / task).glob("*.jsonl"))
    records = [(file.stem, json.loads(line)) for file in files for line in file.open()]
    return [Line(*READERS[task](stem, record), record) for stem, record in records]


def after(context, text):
    return context, f" {text}" if context else text


READERS = {
    "blimp": lambda _, r: (r["UID"], [("", r["sentence_good"]), ("", r["sentence_bad"])]),
    "comps": lambda stem, r: (
        COMPS.get(stem.removeprefix("comps_"), "wugs_dist_in_between"),
        [(r[f"prefix_{kind}"] + " ", r["property_phrase"]) for kind in ("acceptable", "unacceptable")],
    ),
    "ewok": lambda _, r: (r["Domain"], [after(r[f"Context{c}"], r[f"Target{t}"]) for c in "12" for t in "12"]),
    "entity_tracking": lambda stem, r: (f"{stem}_{r['numops']}_ops", [(r["input_prefix"], o) for o in r["options"]]),
    **dict.fromkeys(("wug_adj", "wug_past"), lambda stem, r: (stem, [("", t) for t in r["sentences"].split("\t")])),
}


def word_at(text, start):
    """The number of the word or mark that holds the first character from `start` on that is not white space."""
    start += len(text[start:]) - len(text[start:].lstrip())
    return sum(match.end() <= start for match in WORD.finditer(text))


@torch.no_grad()
def logits(model, ids, decoder=None):
    """What an unpadded row gives: (positions, vocabulary)."""
    extra = {} if decoder is None else {"decoder_input_ids": torch.tensor([decoder])}
    return model(input_ids=torch.tensor([ids]), **extra).logits[0].double()


def summed(reads):
    """The sum of the tokens' log-probabilities at each temperature, from the logits that predict them."""
    return [math.fsum((row / t).log_softmax(-1)[id].item() for row, id in reads) for t in TEMPERATURES]


def score(folder, backend, context, text, first, pll):
    """log p(text | context) at each temperature."""
    model, tokenizer = plain.parts(folder, HEADS.get(backend, "seq2seq"))
    whole = context + text
    row = tokenizer(whole, add_special_tokens=False, return_offsets_mapping=True)
    ids, starts = row.input_ids, [start for start, _ in row.offset_mapping]
    known = sum(end <= len(context) for _, end in row.offset_mapping) if context else 0
    framed = tokenizer(whole).input_ids
    begin = next(i for i in range(len(framed)) if framed[i : i + len(ids)] == ids)
    before, past = framed[:begin], framed[begin + len(ids) :]
    if backend == "causal":
        start = before if first == "tokenizer" else [tokenizer.bos_token_id]
        said = logits(model, start + ids)
        places = range(known if start else max(known, 1), len(ids))
        return summed([(said[len(start) + i - 1], ids[i]) for i in places])
    _, _, begins, mask = plain.question(tokenizer, "t5" if tokenizer.mask_token is None else "bart")
    if backend == "enc_dec_prefix":
        said = logits(model, [*before, *ids[:known], mask, *past], [begins, mask, *ids[known:]])
        return summed([(said[1 + i], id) for i, id in enumerate(ids[known:])])
    words, reads = [word_at(whole, start) for start in starts], []
    for i in range(known, len(ids)):
        same = next((j for j in range(i, len(ids)) if words[j] != words[i]), len(ids))
        stop = {"original": i + 1, "within_word_l2r": same, "left_to_right": i + 3}[pll]
        rest = [] if pll == "left_to_right" else ids[stop:]
        if backend == "enc_dec_mask":
            said = logits(model, [*before, *ids[:i], mask, *rest, *past], [begins, mask])[1]
        else:
            row = [*before, *ids[:i], *[mask] * (stop - i), *rest, *past]
            said = logits(model, row)[len(before) + i - (backend == "mntp")]
        reads.append((said, ids[i]))
    return summed(reads)


def first_place(values, tie):
    """1 if the first value is the highest alone, `tie` (or its fair share) if others are as high, else 0."""
    ties = values.count(max(values))
    return 0.0 if values[0] < max(values) else 1.0 if ties == 1 or tie == 1 else 1 / ties


def nested(values, *columns):
    """The mean over the first column's values of the means over the next one's."""
    if not columns:
        return fmean(values)
    parts = [[one == name for one in columns[0]] for name in dict.fromkeys(columns[0])]
    return fmean(nested(*([*compress(one, part)] for one in (values, *columns[1:]))) for part in parts)


def expected(task, items, scores, tie, joint):
    """Every metric's headline from one list of log-probabilities per item."""
    uids = [item.uid for item in items]
    if task in ("blimp", "comps", "entity_tracking"):
        splits = [[uid.rsplit("_", 2)[0] for uid in uids]] if task == "entity_tracking" else []
        return {"accuracy": nested([first_place(row, tie) for row in scores], *splits, uids)}
    if task == "ewok":
        target = [(first_place([a, c], tie) + first_place([d, b], tie)) / 2 for a, b, c, d in scores]
        bias = [(1 + np.sign(a - b) * np.sign(c - d)) / 2 for a, b, c, d in scores]
        found = {"same_context": nested([first_place(row[:2], tie) for row in scores], uids)}
        return found if joint else found | {"same_target": nested(target, uids), "target_bias": nested(bias, uids)}
    if task == "aoa":
        return {"surprisal": -fmean(row[0] for row in scores) / math.log(2)}
    return wug(items, scores, tie) if task.startswith("wug") else predictive_power(items, scores)


def wug(items, scores, tie):
    ratios = [item.record["ratio"] for item in items]
    pairs = [(row if ratio > 0.5 else row[::-1]) for row, ratio in zip(scores, ratios, strict=True) if ratio != 0.5]
    return {
        "human_correlation": stats.spearmanr([first - second for first, second in scores], ratios).statistic,
        "majority": fmean(first_place(pair, tie) for pair in pairs),
        "first_form": fmean(first_place(row, tie) for row in scores),
    }


def predictive_power(items, scores):
    from statsmodels.formula.api import ols

    numbers = (*PREDICTORS, "prev_length", *TIMES, "self_paced_reading_time")
    table = pd.DataFrame([{name: float(item.record[name] or "nan") for name in numbers} for item in items])
    table["now"] = [-row[0] for row in scores]
    table["then"] = [-row[1] if len(row) > 1 else math.nan for row in scores]

    def gain(time, *base):
        known = table[[time, *base, "now"]].dropna()
        formula = f"{time} ~ ({' + '.join(base)}) ** 2"
        without, with_it = (ols(formula + more, known).fit().rsquared for more in ("", " + now"))
        return (with_it - without) / (1 - without)

    return {
        "eye_tracking": fmean(gain(time, *PREDICTORS) for time in TIMES),
        "self_paced": gain("self_paced_reading_time", *PREDICTORS, "prev_length", "then"),
    }


RUNS = [
    *(("gpt2", "causal", task, "pairlens", "") for task in ("blimp", "ewok", "reading", "aoa")),
    ("gpt2", "causal", "ewok", "babylm-2025", "--full_sentence_scores"),
    ("llama", "causal", "wug_past", "babylm-2025", ""),
    ("bert", "mlm", "wug_adj", "pairlens", ""),
    ("bert", "mlm", "reading", "babylm-2025", ""),
    ("roberta", "mlm", "comps", "pairlens", ""),
    ("eurobert", "mntp", "aoa", "babylm-2025", ""),
    ("t5", "enc_dec_prefix", "entity_tracking", "pairlens", ""),
    ("bart", "enc_dec_mask", "aoa", "pairlens", ""),
]
LONG = {"gpt2": {"n_positions": 512}, "t5": {}}


@pytest.mark.parametrize(("architecture", "backend", "task", "preset", "flag"), thinned(RUNS, 3))
def test_scores_and_headlines_equal_plain_code(tiny, tmp_path, capsys, architecture, backend, task, preset, flag):
    folder, items = tiny(architecture, **LONG.get(architecture, {"max_position_embeddings": 514})), lines(task)
    options = {
        "--task": task, "--data_path": next((SAMPLES / task).glob("*.json"), SAMPLES / task),
        "--model": folder, "--backend": backend, "--as": preset, "--output_dir": tmp_path,
        "--min_temperature": TEMPERATURES[0], "--max_temperature": TEMPERATURES[-1], "--temperature_interval": 0.5,
    }  # fmt: skip
    if preset == "babylm-2025" and task in ("aoa", "reading"):  # tokens of its own: test_original_babylm and _reading
        options["--set"] = "tokens=joint"
    assert main(["zero-shot", *(str(part) for pair in options.items() for part in pair), *filter(None, [flag])]) == 0
    run_id = re.search(r"^run: (\S+)$", capsys.readouterr().out, re.MULTILINE)[1]
    store, (first, pll, tie) = Store(), PRESETS[preset]
    pll = "left_to_right" if task == "reading" else pll
    texts = [("", c + t) if flag else (c, t) for item in items for c, t in item.candidates]
    scores = [score(folder, backend, *text, first, pll) for text in texts]
    for temperature, values in zip(TEMPERATURES, zip(*scores, strict=True), strict=True):
        assert [*store.candidates(run_id, temperature)["logprob"]] == pytest.approx([*values], abs=TOLERANCE)
    stored = [part["logprob"].tolist() for _, part in store.candidates(run_id).groupby("item", sort=False)]
    found = store.metrics(run_id).drop_duplicates("name").set_index("name")["value"].to_dict()
    assert found == pytest.approx(expected(task, items, stored, tie, bool(flag)), abs=1e-9)


def test_weighted_strata_vary_as_without_each_cluster():
    """The variance behind the interval, by the jackknife: the mean without each of the clusters in turn."""
    generator, weights = np.random.default_rng(7), {0: 0.6, 1: 0.3, 2: 0.1}
    strata, clusters = generator.integers(0, 3, 240), generator.integers(0, 20, 240)
    values = (generator.random(240) < 0.3 + 0.2 * strata).astype(float)

    def mean(kept):
        return sum(share * values[kept & (strata == s)].mean() for s, share in weights.items())

    without = np.array([mean(clusters != one) for one in range(20)])
    error = math.sqrt(19 / 20 * ((without - without.mean()) ** 2).sum())
    interval = over_items(*map(pd.Series, (values, strata, clusters, weights)))
    whole = mean(np.ones(240, bool))
    reach = stats.t.ppf(0.975, 19) * error
    assert (interval.low, interval.high) == pytest.approx((whole - reach, whole + reach), abs=0.015)
