"""Run CausalGym's own code on a tiny GPT-NeoX and keep the log-probabilities of its vanilla interchange.

Started in an environment with torch, transformers and pyvene, with the folder of CausalGym. Nothing is put right: its
pairs, batches, interventions and evaluation are used as they are, one span (its last token) and one layer at a time.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib import import_module, metadata
from pathlib import Path

from tests.parity.originals.causalgym_cases import LAYERS, PAIRS, RECORD, SITES, START, model

_PACKAGES = ("torch", "transformers", "pyvene")
_DIGITS = 7


def main(original: Path) -> None:
    """Write the record: by component, pair, layer and span, log p of the base's form and of the source's."""
    sys.path.insert(0, str(original))
    os.chdir(original)
    import pyvene
    from pyvene.models.intervenable_base import IntervenableModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    data, interventions, evaluation = map(import_module, ("data", "interventions", "eval"))
    found: dict[str, list[list[float]]] = {}
    with tempfile.TemporaryDirectory() as made:
        folder = model(Path(made))
        network = AutoModelForCausalLM.from_pretrained(folder).eval()
        tokenizer = AutoTokenizer.from_pretrained(folder)
        tokenizer.pad_token = tokenizer.eos_token  # as in das.py
        for component, site in SITES.items():
            for number, (base, source, base_label, source_label) in enumerate(PAIRS):
                pair = data.Pair([START, *base], [START, *source], "", "", base_label, source_label)
                batch = data.Batch([pair], tokenizer)
                for layer in range(LAYERS):
                    for span in range(len(base) + 1):
                        config = interventions.intervention_config(site, pyvene.VanillaIntervention, layer, 0)
                        (row,), _, _ = evaluation.eval(
                            IntervenableModel(config, network), [batch], layer, span, "last"
                        )
                        values = [round(row[name], _DIGITS) for name in ("p_base", "p_src")]
                        found.setdefault(f"{component} {number} {layer}", []).append(values)
    head = {"versions": {name: metadata.version(name).partition("+")[0] for name in _PACKAGES}}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(values)}" for name, values in found.items())
    RECORD.write_text(
        json.dumps(head, indent=1).removesuffix("\n}") + f',\n "cases": {{\n{lines}\n }}\n}}\n', "utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
