"""Let NLPScholar read texts in strides and train tiny models, and keep its numbers in nlpscholar_training.json.

    PYTHONPATH=.:tests .venv-oracle/bin/python -m tests.parity.originals.nlpscholar_training FOLDER

FOLDER is a copy of github.com/forrestdavis/NLPScholar, whose own classes run here. It was written for transformers
4.44; where `Trainer` has changed since, it is made to do as before. Nothing of Pairlens is used here.
"""

import contextlib
import importlib
import io
import re
import sys
import tempfile
from pathlib import Path
from unittest.mock import MagicMock

import datasets
import transformers

from tests.parity.originals import nlpscholar_training_cases as cases
from tests.parity.originals import record

_NICKNAMES = {"gpt2": "causal", "roberta": "masked"}


def main(original):
    sys.path.insert(0, str(original))
    sys.modules["evaluate"] = MagicMock()  # the classifiers' metrics, fetched from a hub on import
    _as_in_transformers_4()
    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        strided = {name: _strided(case, place / f"s{n}") for n, (name, case) in enumerate(cases.STRIDED.items())}
        trained = {name: _trained(case, place / f"t{n}") for n, (name, case) in enumerate(cases.TRAINED.items())}
    record.write(__file__, ("torch", "transformers", "datasets"), strided=strided, trained=trained)


def _as_in_transformers_4():
    """`tokenizer` of `Trainer` is now `processing_class`, and a batch's loss was the mean over what it predicts."""
    if int(transformers.__version__.partition(".")[0]) < 5:
        return
    library = importlib.import_module("src.trainers.HFLanguageModelTrainer").transformers
    usual = library.Trainer

    class Trainer(usual):  # type: ignore[misc, valid-type]
        def __init__(self, *, tokenizer, **rest):
            super().__init__(processing_class=tokenizer, **rest)

        def compute_loss(self, model, inputs, return_outputs=False, **_):
            return super().compute_loss(model, inputs, return_outputs)

    library.Trainer = Trainer


def _strided(case, folder):
    """The surprisal of each token in bits."""
    model = cases.strided_model(folder, case.architecture)
    kind = _NICKNAMES[case.architecture]
    made = getattr(importlib.import_module(f"src.models.hf_{kind}_model"), f"HF{kind.capitalize()}Model")
    asked = made(str(model), None, PLL_type=case.pll, device="cpu", stride=case.stride)
    (said,) = asked.get_by_token_predictability(case.text)
    return [round(one["surprisal"], 4) for one in said]


def _trained(case, folder):
    """What it prints as perplexity, the pieces in their order, and what it leaves behind."""
    folder.mkdir()
    model = cases.trained_model(folder / "model", case.architecture)
    config = {
        "exp": "MinimalPair",
        "models": {f"hf_{_NICKNAMES[case.architecture]}_model": [str(model)]},
        "modelfpath": str(folder / "trained"),
        **cases.training_files(folder),
        **case.keys,
    }
    trainer = importlib.import_module("src.utils.load_trainers").load_trainer(config)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        trainer.train()
    (perplexity,) = re.findall(r"Perplexity on evaluation data: (\S+)", printed.getvalue())
    return {
        "perplexity": float(perplexity),
        **{name: cases.summary(trainer.dataset[name]["input_ids"]) for name in ("train", "valid")},
        "checkpoints": sorted(path.name for path in (folder / "trained").glob("checkpoint-*")),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
