"""Start the programs and tasks that `reproduce` wrote, and keep what minicons and lm_eval say in reproduction.json.

`make oracle` runs this in an environment that has both, on the folder that `reproduced_runs.py` filled. Nothing of
Pairlens is used here.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from importlib import metadata
from pathlib import Path

RECORD = Path(__file__).with_name("reproduction.json")
_PACKAGES = ("minicons", "lm_eval", "torch", "transformers", "datasets")
_COMMAND = re.compile(r"lm_eval run .* --tasks (\S+) .*--model_args pretrained=MODEL,(\S+) ")


def main(folder):
    cases = {}
    for path in sorted(folder.glob("*/name"), key=lambda path: int(path.parent.name)):
        name = path.read_text("utf-8")
        cases[name] = answers(path.parent)
        print(name, {program: answer["said"] for program, answer in cases[name].items()}, flush=True)
    record = {
        "versions": {name: metadata.version(name).partition("+")[0] for name in _PACKAGES},
        "lm_eval_keys": keys(),
    }
    head = json.dumps(record, indent=1).removesuffix("\n}")
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(case)}" for name, case in cases.items())
    RECORD.write_text(f'{head},\n "cases": {{\n{lines}\n }}\n}}\n', "utf-8")


def keys():
    """What the files of a task and of a group may hold."""
    from lm_eval.config.group import AggMetricConfig, GroupConfig
    from lm_eval.config.task import TaskConfig

    kinds = {"task": TaskConfig, "group": GroupConfig, "average": AggMetricConfig}
    return {name: sorted(field.name for field in fields(kind)) for name, kind in kinds.items()}


def answers(case):
    """What each program said, and its log-probabilities by item."""
    (run,) = (path.parent for path in case.glob("run/*/run.json"))
    found = {"minicons": by_minicons(run, case / "model")}
    if (run / "lm_eval").is_dir():
        found["lm_eval"] = by_lm_eval(run / "lm_eval", case / "model", (run.parent / "README.txt").read_text("utf-8"))
    return found


def by_minicons(run, model):
    said = start([run / "minicons_run.py", model, "--output", "minicons.jsonl"], run)
    scores = {}
    for line in (run / "minicons.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        scores.setdefault(record["item"], []).append(rounded(record["minicons"]))
    return {"said": said.splitlines(), "scores": scores}


def by_lm_eval(folder, model, readme):
    """The command of the README, and the program that lays the samples beside the run's scores."""
    task, given = _COMMAND.search(readme).groups()
    asked = ["--include_path", ".", "--tasks", task, "--model", "hf", "--device", "cpu", "--batch_size", "16"]
    output = ["--output_path", "out", "--log_samples"]
    start(["-m", "lm_eval", "run", *asked, "--model_args", f"pretrained={model},{given}", *output], folder)
    (results,) = folder.glob("out/**/results_*.json")
    whole = json.loads(results.read_text("utf-8"))["results"][task]
    samples = [
        json.loads(line) for path in folder.glob("out/**/samples_*.jsonl") for line in path.open(encoding="utf-8")
    ]
    scores = {}
    for one in sorted(samples, key=lambda one: one["doc"].get("candidate", 0)):
        scores.setdefault(one["doc"]["item"], []).extend(rounded(float(answer[0][0])) for answer in one["resps"])
    return {
        "said": start([folder / "compare_lm_eval.py", "out"], folder).splitlines(),
        "number": next(value for name, value in whole.items() if name == "acc,none"),
        "scores": scores,
    }


def start(arguments, folder):
    """What a program prints; nothing is fetched from a hub."""
    quiet = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_CACHE": str(folder / "cache"), "PYTHONWARNINGS": "ignore"}
    environment = {**os.environ, **quiet}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=folder, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(done.stderr[-3000:])
    return done.stdout


def rounded(value):
    return None if value is None else round(value, 5)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
