"""What the jobs of the tests import, all at once, for `tests.forked`."""

import gc
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process that forks has one thread

import duckdb  # noqa: F401
import pandas  # noqa: F401
import pyarrow.parquet  # noqa: F401 - not `dataset`: readers would have its memory beyond their own
import pydantic  # noqa: F401 - with which the command line reads its arguments
import scipy.sparse  # noqa: F401
import torch  # noqa: F401
import transformers
import transformers.models.eurobert.modeling_eurobert
import transformers.models.llama.modeling_llama  # noqa: F401

import pairlens.cli.zero_shot
import pairlens.evaluation.zero_shot
import pairlens.metrics.accuracy
import pairlens.store.jobs
import pairlens.store.maintenance  # noqa: F401

gc.collect()
gc.freeze()  # or the first collection of every child would copy all of this
