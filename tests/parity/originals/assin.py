"""Start the official scorer of ASSIN (erickrf/assin, `assin-eval.py`) and keep what it prints in assin.json.

`python -m tests.parity.originals.assin FOLDER`, FOLDER being a checkout; numpy, scipy, scikit-learn and nltk are
needed. Nothing of Pairlens is used. The scorer is run as it is, but for a name of the XML library that Python has no
more.
"""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.parity.originals import record
from tests.parity.originals.assin_cases import CASES, write

_RUN = """
import runpy, sys, xml.etree
from xml.etree import ElementTree
xml.etree.cElementTree = sys.modules["xml.etree.cElementTree"] = ElementTree
sys.path.insert(0, ".")
runpy.run_path("assin-eval.py", run_name="__main__")
"""
_ROWS = {"RTE": ("accuracy", "macro_f1"), "Similarity": ("pearson", "mse")}


def main(original):
    """Write the record: the numbers as printed, by case; accuracy in per cent."""
    found = {}
    for name, case in CASES.items():
        found[name] = answers(case, original)
        print(name, found[name], flush=True)
    record.write(__file__, ("numpy", "scipy", "scikit-learn"), printed=found)


def answers(case, original):
    """What the scorer prints of a case, or the error in which it ends."""
    with TemporaryDirectory() as folder:
        files = [str(path) for path in write(case, Path(folder))]
        command = [sys.executable, "-c", _RUN, *files, *(["-f"] if case.force else [])]
        run = subprocess.run(command, cwd=original, capture_output=True, text=True)
        said = run.stdout
    if run.returncode:
        return {"error": run.stderr.splitlines()[-1]}
    found = {}
    for title, names in _ROWS.items():
        values = re.search(rf"{title} evaluation\n.*\n.*\n\s*(\S+)\s+(\S+)", said)
        assert values, said
        found |= {name: float(value.rstrip("%")) for name, value in zip(names, values.groups(), strict=True)}
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
