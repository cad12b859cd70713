"""Lay the scores of lm-evaluation-harness beside those that Pairlens stored. Needs nothing but Python.

python compare_lm_eval.py out           (the folder that lm_eval was given: --output_path out --log_samples)
"""

import argparse
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description="Compare lm_eval's samples with a run.")
    parser.add_argument("output", type=Path, help="the folder that lm_eval was given as --output_path")
    given = parser.parse_args()
    samples = newest_samples(given.output)
    if not samples:
        raise SystemExit(f"There are no samples in {given.output}: give lm_eval --log_samples and --output_path.")
    far, n, same = 0.0, 0, 0
    for sample in samples:
        ours = sample["doc"]["logprobs"]
        theirs = [float(answer[0][0]) for answer in sample["resps"]]
        far = max([far, *(abs(one - other) for one, other in zip(ours, theirs, strict=True))])
        n += 1
        same += ours.index(max(ours)) == theirs.index(max(theirs))
    print(f"{n:,} items; largest difference: {far:.2g} nats; the same text is likeliest in {same:,}")
    expected = json.loads((HERE / "expected.json").read_text("utf-8"))
    for name, number in expected.items():
        print(f"expected of the run's scores: {name} {number:.6f}")


def newest_samples(folder):
    """The samples of the last evaluation, of every task."""
    newest = {}
    for path in sorted(folder.rglob("samples_*.jsonl")):
        newest[path.name.rpartition("_")[0]] = path
    return [json.loads(line) for path in newest.values() for line in path.open(encoding="utf-8")]


if __name__ == "__main__":
    main()
