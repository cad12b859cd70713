"""A published suite through the store against plain transformers code: regions and what is predicted of them."""

import gzip
import json
import math

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from core.api import recipe
from core.metrics import METRICS
from core.policies import preset
from core.runs.evaluate import evaluate
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS

CONDITIONS = ("ambig_nocomma", "ambig_comma", "unambig_nocomma", "unambig_comma")
VERB = 5


@pytest.fixture(scope="module")
def bundled():
    folder = ROOT / "data" / "models" / "english-small"
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval(), AutoTokenizer.from_pretrained(
        folder
    )


def verb_in_bits(bundled, regions: list[str]) -> float:
    """The surprisal of the fifth region: of those tokens that end in it."""
    model, tokenizer = bundled
    start, subordinate, comma, noun, verb, _ = (region.strip() for region in regions)
    before = f"{start} {subordinate}{comma} {noun}"
    encoded = tokenizer(f"{before} {verb}", add_special_tokens=False, return_offsets_mapping=True)
    ids = [tokenizer.bos_token_id, *encoded.input_ids]
    with torch.no_grad():
        logs = model(torch.tensor([ids])).logits[0].double().log_softmax(-1)
    inside = [place for place, (_, end) in enumerate(encoded.offset_mapping) if end > len(before)]
    return -sum(float(logs[place, ids[place + 1]]) for place in inside) / math.log(2)


def test_a_garden_path_suite_equals_its_computation_by_hand(home, shared_data, bundled):
    path = shared_data("syntaxgym/test_suites/json/npz_ambig.json.gz")
    store = Store(home / "store")
    *_, last = evaluate(TASKS["syntaxgym"], path, recipe("english-small"), store)
    candidates = store.candidates(last.run_id)
    ours = candidates.set_index(["item", "label"])["logprob"]
    statistics = METRICS["first_formula"].statistics(candidates, preset("pairlens")).set_index("item")
    n_right = 0
    for item in json.loads(gzip.decompress(path.read_bytes()))["items"]:
        name = f"npz_ambig/{item['item_number']}/1"
        contents = {c["condition_name"]: [r["content"] for r in c["regions"]] for c in item["conditions"]}
        bits = {condition: verb_in_bits(bundled, contents[condition]) for condition in CONDITIONS}
        for condition in CONDITIONS:
            found = -ours[name, f"{VERB};%{condition}%"] / math.log(2)
            assert found == pytest.approx(bits[condition], abs=1e-4), (name, condition)
        nocomma, comma, other, other_comma = (bits[condition] for condition in CONDITIONS)
        leads = (nocomma - comma, nocomma - other, (nocomma - comma) - (other - other_comma))
        assert statistics.loc[name, "margin"] / math.log(2) == pytest.approx(min(leads), abs=5e-4)
        assert statistics.loc[name, "correct"] == (0.5 if min(leads) == 0 else min(leads) > 0)
        n_right += min(leads) > 0
    assert METRICS["first_formula"].value(statistics) == n_right / 24
