"""Records of what originals said: versions of the packages that they ran with, and groups of cases, one a line."""

import json
from importlib import metadata
from pathlib import Path


def write(program, packages, **groups):
    """Write the record of a program, which lies beside it."""
    versions = {name: metadata.version(name).partition("+")[0] for name in packages}
    parts = [f' "versions": {json.dumps(versions)}']
    for name, cases in groups.items():
        lines = ",\n".join(f"  {json.dumps(case)}: {json.dumps(said)}" for case, said in cases.items())
        parts.append(f' "{name}": {{\n{lines}\n }}')
    Path(program).with_suffix(".json").write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")
