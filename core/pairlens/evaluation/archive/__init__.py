"""A run as one file, to move it to another machine.

    <run id>.pairlens.zip
        export.json            the format's version, the run's id, and the sha256 of every other file
        manifest.json          recipe, state, headline, as in the store
        items.parquet          the items and their requests
        metrics.parquet        the numbers
        remarks.json           tags and a note
        scores/<nnnn>.json     the model and policy (fingerprint) of the rows, and their provenance
        scores/<nnnn>.scores.parquet, scores/<nnnn>.tokens.parquet
                               exactly the rows that the run names, part by part in order of precedence

A confidential task is packed and unpacked without texts and tokens, whatever a store or a file holds.
"""

from pairlens.evaluation.archive.packing import FORMAT, INDEX, SUFFIX, pack, packed
from pairlens.evaluation.archive.unpacking import Unpacked, unpack

__all__ = ["FORMAT", "INDEX", "SUFFIX", "Unpacked", "pack", "packed", "unpack"]
