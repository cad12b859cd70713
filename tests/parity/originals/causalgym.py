"""Run CausalGym's own code on a tiny GPT-NeoX and keep the log-probabilities of its vanilla interchange.

Started in an environment with torch, transformers and pyvene, with the folder of CausalGym. Nothing is put right: its
pairs, batches, interventions and evaluation are used as they are, one span (its last token) and one layer at a time.
"""

import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from tests.parity.originals import record
from tests.parity.originals.causalgym_cases import LAYERS, PAIRS, SITES, START, model

_DIGITS = 7


def main(original):
    """Write the record: by component, pair, layer and span, log p of the base's form and of the source's."""
    sys.path.insert(0, str(original))
    os.chdir(original)
    import pyvene
    from pyvene.models.intervenable_base import IntervenableModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    data, interventions, evaluation = map(import_module, ("data", "interventions", "eval"))
    found = {}
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
    record.write(__file__, ("torch", "transformers", "pyvene"), cases=found)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
