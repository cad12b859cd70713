"""Other programs that no command of their own starts here: `python -m tests.benchmarks.others NAME FOLDER`.

Run where the job's files are; FOLDER is where the program is. Nothing of Pairlens is used here.
"""

import json
import runpy
import sys
from argparse import Namespace
from pathlib import Path
from unittest.mock import MagicMock

BATCH = 64
"""Of minicons: its best on short sentences, see the table of cases."""
_ONLINE = ("gspread", "pydrive", "pydrive.auth", "pydrive.drive", "oauth2client", "oauth2client.service_account",
           "matplotlib", "matplotlib.pyplot")  # fmt: skip
"""What StereoSet's evaluation imports for tables on the web and for its chart."""


def minicons(_):
    """The accuracy on every paradigm of `blimp`, printed."""
    from minicons import scorer

    model = scorer.IncrementalLMScorer("model", "cpu")
    accuracies = {}
    for file in sorted(Path("blimp").iterdir()):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        good, bad = (_scores(model, [row[name] for row in rows]) for name in ("sentence_good", "sentence_bad"))
        accuracies[file.stem] = 100 * sum(map(float.__gt__, good, bad)) / len(rows)
        print(f"{file.stem}: {accuracies[file.stem]:.2f}")
    print(f"average {sum(accuracies.values()) / len(accuracies):.2f}")


def _scores(model, texts):
    parts = (texts[start : start + BATCH] for start in range(0, len(texts), BATCH))
    return [
        score for part in parts for score in model.sequence_score(part, reduction=lambda values: values.sum().item())
    ]


def stereoset(folder):
    """Predictions, then their evaluation, with a method of tokenizers that transformers no longer has."""
    sys.path.insert(0, str(folder))
    sys.modules.update({name: MagicMock() for name in _ONLINE})
    import transformers

    base = transformers.PreTrainedTokenizerBase
    base.batch_encode_plus = lambda self, batch_text_or_text_pairs, **more: self(batch_text_or_text_pairs, **more)
    import evaluation
    import inference

    files = {f"{task}_df_file": f"df_{task}_en.pkl" for task in ("intrasentence", "intersentence")}
    files |= {"skip_intrasentence": False, "skip_intersentence": False}
    scores = inference.inference(
        Namespace(
            pretrained_class="gpt2", tokenizer_name="AutoTokenizer", device="cpu", batch_size=1, num_workers=0,
            case_no="d", nsp_model_path=None, intrasentence_model="GPT2LM", intersentence_model="GPT2LM", **files,
        )
    )  # fmt: skip
    Path("predictions.json").write_text(json.dumps(scores), "utf-8")
    evaluation.main(Namespace(predictions_file="predictions.json", output_file=None, **files))


def nlpscholar(folder):
    """Its own start, without the metrics that it fetches for classifiers."""
    sys.modules["evaluate"] = MagicMock()
    sys.path.insert(0, str(folder))
    sys.argv = ["main.py", "config.yaml"]
    runpy.run_path(str(folder / "main.py"), run_name="__main__")


if __name__ == "__main__":
    {"minicons": minicons, "stereoset": stereoset, "nlpscholar": nlpscholar}[sys.argv[1]](Path(sys.argv[2]))
