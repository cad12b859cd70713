"""What lm-evaluation-harness makes of our samples in many languages, with its own definitions of the tasks.

    PYTHONPATH=.:tests .venv-oracle/bin/python -m tests.parity.originals.languages FOLDER

The definitions of XCOMPS are those of BabyLM 2026 (FOLDER/xcomps, from multilingual/tasks of babylm-org/babylm-eval);
the others come with lm-evaluation-harness. Each is pointed at a file of `data/samples` instead of the hub. The record
has the log-probabilities of both sentences of each pair in the order of the file, and `acc`. Nothing of Pairlens is
used.
"""

import sys
import tempfile
from pathlib import Path

from tests.parity.originals import record

SAMPLES = Path(__file__).resolve().parents[3] / "data" / "samples"
ARCHITECTURES = ("gpt2", "opt", "llama", "gemma")
"""Tokenizers that cut into bytes without and with a frame, and two that mark the space before a word."""


def main(folder):
    import lm_eval
    from lm_eval.models.huggingface import HFLM
    from lm_eval.tasks._yaml_loader import load_yaml

    from tests.tiny import tiny_model

    tasks = [_pointed(load_yaml(path), file) for path, file in _definitions(Path(lm_eval.__file__).parent, folder)]
    found = {}
    for architecture in ARCHITECTURES:
        with tempfile.TemporaryDirectory() as place:
            model = HFLM(pretrained=str(tiny_model(Path(place), architecture)), device="cpu", dtype="float32")
            said = lm_eval.simple_evaluate(model, tasks=[dict(task) for task in tasks], bootstrap_iters=0)
        found[architecture] = {
            name: {"acc": said["results"][name]["acc,none"], "scores": [_scores(one) for one in samples]}
            for name, samples in said["samples"].items()
        }
    record.write(__file__, ("lm_eval", "torch", "transformers"), cases=found)


def _definitions(harness, babylm):
    """A definition of each task and the file that it is to read."""
    tasks = harness / "tasks"
    found = [(tasks / f"multiblimp/multiblimp_{file.parent.name}.yaml", file) for file in _files("multiblimp/*/*")]
    found += [(babylm / f"xcomps/xcomps_{file.stem[-2:]}.yaml", file) for file in _files("xcomps/*")]
    found += [(tasks / "blimp_nl/anaphor_agreement__number.yaml", file) for file in _files("blimp_nl/*")]
    found += [(tasks / "zhoblimp/BA_deletion.yaml", file) for file in _files("zhoblimp/*")]
    return found


def _files(pattern):
    return sorted(SAMPLES.glob(pattern))


def _pointed(definition, file):
    """The definition with a file of ours in the place of the set, under the file's name."""
    table = {"data_files": {definition["test_split"]: str(file)}, **({"sep": "\t"} if file.suffix == ".tsv" else {})}
    path = "json" if file.suffix == ".jsonl" else "csv"
    name = str(file.relative_to(SAMPLES))
    own = {"dataset_path": path, "dataset_name": None, "dataset_kwargs": table, "task": name, "tag": None}
    return {**definition, **own}


def _scores(sample):
    return [round(float(answer[0][0]), 6) for answer in sample["resps"]]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
