"""Other tools, called through their own code, on the network as transformers loads it.

minicons (Misra 2022) and the Language Model Evaluation Harness (EleutherAI) come from the package index; the BabyLM
evaluation pipeline of 2025 and NLPScholar (Prasad & Davis) from a folder, where somebody has put them: their code is
not part of this project. Each returns the scores of the sentences in nats, NaN where it does not say them; what it
prints is thrown away.
"""

import argparse
import importlib
import json
import logging
import math
import os
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from importlib import metadata
from pathlib import Path
from types import MethodType

import torch

from tests.benchmarks.measuring import System

BATCHES = (1, 16, 64)


def minicons(opened, texts, pll):
    """minicons with each batch size: it never cuts a list into batches itself."""
    from minicons import scorer

    tokenizer = opened.tokenizer()
    if opened.shape.kind == "causal":
        asked = scorer.IncrementalLMScorer(opened.module, "cpu", tokenizer=tokenizer)
        more = {"bos_token": True}
    else:
        # minicons 0.3.39 calls what transformers 5 no longer has.
        tokenizer.batch_encode_plus = MethodType(lambda self, *values, **names: self(*values, **names), tokenizer)
        asked = scorer.MaskedLMScorer(opened.module, "cpu", tokenizer=tokenizer)
        more = {"PLL_metric": pll}

    def score(batch):
        parts = (list(texts[start : start + batch]) for start in range(0, len(texts), batch))
        return [value for part in parts for value in asked.sequence_score(part, reduction=_sum, **more)]

    return _by_batch(f"minicons {metadata.version('minicons')}", score)


def lm_eval(opened, texts, _):
    """The harness's model class for Hugging Face models; causal models only."""
    if opened.shape.kind != "causal":
        return []
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    logging.getLogger("lm_eval").setLevel(logging.ERROR)  # it warns of being given an open model
    requests = [Instance("loglikelihood", {}, ("", text), place) for place, text in enumerate(texts)]
    made = {
        batch: HFLM(pretrained=opened.module, tokenizer=opened.tokenizer(), batch_size=batch, device="cpu")
        for batch in BATCHES[1:]
    }

    def score(batch):
        return [value for value, _ in made[batch].loglikelihood(requests, disable_tqdm=True)]

    return _by_batch(f"lm_eval {metadata.version('lm_eval')}", score, BATCHES[1:])


def babylm(opened, pairs, folder):
    """The pipeline's own data set, collation and scoring; it says decisions, not scores."""
    backend = {"causal": "causal", "masked": "mlm", "seq2seq": "enc_dec_prefix"}[opened.shape.kind]
    _importable(folder)
    results = importlib.import_module("evaluation_pipeline.sentence_zero_shot.compute_results")
    dataset = importlib.import_module("evaluation_pipeline.sentence_zero_shot.dataset")
    data = opened.scratch / f"babylm-{opened.shape.name}-{len(pairs)}"
    data.mkdir(exist_ok=True)
    rows = (
        {"sentence_good": good, "sentence_bad": bad, "UID": "all", "field": "all", "linguistics_term": "all"}
        for good, bad in pairs
    )
    (data / "all.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")

    def score(batch):
        asked = argparse.Namespace(
            backend=backend, model_path_or_name=str(opened.folder), revision_name=None, data_path=data, task="blimp",
            batch_size=batch, non_causal_batch_size=batch, images_path=None, image_split=None, image_template=None,
            full_sentence_scores=True, save_predictions=False,
        )  # fmt: skip
        results.compute_results(asked, opened.module, dataset.get_dataloader(asked), [1.0])
        return [math.nan] * (2 * len(pairs))

    return _by_batch("BabyLM pipeline 2025", score)


def nlpscholar(opened, texts, pll, folder):
    """NLPScholar's model classes; its default batch is 1."""
    if opened.shape.kind == "seq2seq":
        return []
    _importable(folder)
    name, kind = ("causal", "HFCausalModel") if opened.shape.kind == "causal" else ("masked", "HFMaskedModel")
    made = getattr(importlib.import_module(f"src.models.hf_{name}_model"), kind)
    asked = made(str(opened.folder), None, PLL_type=pll, device="cpu")
    asked.model = opened.module
    cut = opened.tokenizer()
    first = cut.bos_token if opened.shape.kind == "causal" else ""  # it sets no start symbol itself, and gives it 0

    def score(batch):
        totals = []
        for begin in range(0, len(texts), batch):
            part = [first + text for text in texts[begin : begin + batch]]
            for text, said in zip(part, asked.get_by_token_predictability(part), strict=True):
                own = len(cut(text, add_special_tokens=False).input_ids)  # what follows is padding
                totals.append(-math.log(2) * math.fsum(token["surprisal"] for token in said[:own]))
        return totals

    return _by_batch("NLPScholar", score, BATCHES[:2])


def _by_batch(name, score, batches=BATCHES):
    return [System(f"{name}, batch {batch}", _quietly(score, batch)) for batch in batches]


def _quietly(score, batch):
    def scored():
        with (
            warnings.catch_warnings(),
            torch.no_grad(),
            Path(os.devnull).open("w") as nowhere,
            redirect_stderr(nowhere),
            redirect_stdout(nowhere),
        ):
            warnings.simplefilter("ignore")
            return score(batch)

    return scored


def _importable(folder):
    if str(folder.resolve()) not in sys.path:
        sys.path.insert(0, str(folder.resolve()))


def _sum(values):
    return float(values.sum(0).item())
