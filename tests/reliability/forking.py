"""The worker of the sandbox without its start: loaded once, forked for every job; run as a program of its own.

Jobs come as lines of JSON, answers go back the same way: what the worker said, and the status that it ended with.
Each job has a process of its own, under its own limits, as in the product; only the start of Python is shared.
"""

import json
import os
import runpy
import sys


def answered(main, job):
    """What `main` says to a job in a forked process, and how that ended."""
    give, hear = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.dup2(give[0], 0)
        os.dup2(hear[1], 1)
        for end in (*give, *hear):
            os.close(end)
        sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115
        try:
            main()
            sys.stdout.flush()
        finally:
            os._exit(0)
    os.close(give[0])
    os.close(hear[1])
    with os.fdopen(give[1], "wb") as pipe:
        pipe.write(job)
    with os.fdopen(hear[0], "rb") as pipe:
        said = pipe.read(4 << 20)
    return said.decode(), os.waitpid(child, 0)[1]


if __name__ == "__main__":
    worker = runpy.run_path(sys.argv.pop(1))
    for line in sys.stdin.buffer:
        print(json.dumps(answered(worker["main"], line)), flush=True)
