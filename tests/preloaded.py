"""What the jobs of the tests import, all at once, for `tests.forked`."""

import gc
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process that forks has one thread

import duckdb  # noqa: F401
import pandas  # noqa: F401
import pyarrow.parquet  # noqa: F401
import torch  # noqa: F401
import transformers  # noqa: F401

import pairlens.cli  # noqa: F401

gc.collect()
gc.freeze()  # or the first collection of every child would copy all of this
