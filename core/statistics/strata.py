"""The mean of strata's means of clustered values: its variance, and how many independent answers it is worth.

Strata (paradigms) are fixed, clusters (critical contrasts) are the sample. The variance is that of the linearised
mean (Woodruff 1971; Cochran 1977, chapter 11): each cluster moves the mean by the sum of its values' deviations.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Codes = NDArray[np.intp]

_PRIOR = 4
"""Degrees of freedom that the expected share of a stratum in the variance is worth, beside its estimated one."""
_NO_FREEDOM = 1e-9
_ROUNDING = 1e-12
"""What differs by less is equal."""


class Stratified:
    """Values with their strata, clusters and the strata's weights (by default equal; only strata with values count).

    Everything about it depends on sums alone: the order of rows changes nothing but the last digit. The three series
    are aligned.
    """

    def __init__(
        self, values: pd.Series, strata: pd.Series, clusters: pd.Series, weights: pd.Series | None = None
    ) -> None:
        """Rows without a value count for nothing."""
        known = values.notna().to_numpy(bool)
        self.values = values.to_numpy(np.float64)[known]
        self._stratum, names = pd.factorize(strata[known], sort=True, use_na_sentinel=False)
        self._cluster, contrasts = pd.factorize(clusters[known], use_na_sentinel=False)
        self.n_strata, self.n_clusters = len(names), len(contrasts)
        equal = np.full(self.n_strata, 1 / max(self.n_strata, 1))
        given = equal if weights is None else weights.loc[names].to_numpy(np.float64)
        self.weights: Reals = given / (given.sum() or 1)
        self._sizes = np.bincount(self._stratum, minlength=self.n_strata)

    @cached_property
    def shares(self) -> Reals:
        """How much each value counts in the mean; adds up to 1."""
        return np.asarray(self.weights[self._stratum] / self._sizes[self._stratum], np.float64)

    def mean(self, values: Reals | None = None) -> float:
        """The mean of the strata's means, of these values or of others aligned with them."""
        return float(self.shares @ (self.values if values is None else values))

    @cached_property
    def alone(self) -> float:
        """The weight of the strata with a single cluster, in which nothing can vary."""
        return float(self.weights[self._clusters_of_stratum == 1].sum())

    @cached_property
    def variance(self) -> float:
        """Of the mean, as clusters scatter within their strata.

        Deviations are scaled as in CR2 (Bell & McCaffrey 2002), by the share of its stratum that a cluster holds. A
        cluster of several strata moves the mean by all it does in them together. Where all clusters of a stratum
        agree, two more with the overall mean are imagined (after Agresti & Coull 1998), the more the stratum matters:
        a large part of the variance would else be taken for none.
        """
        moves = np.bincount(self._cell_cluster, self._moves, self.n_clusters)
        return float((moves**2).sum() + self._of_agreeing)

    @cached_property
    def freedom(self) -> float:
        """Degrees of freedom of `variance` (Satterthwaite 1946).

        Each stratum has as many as its clusters are worth by their sizes, less 1; strata that share clusters are one.
        What a stratum adds to the variance is known the worse the fewer it has: it is drawn towards what its weight
        and size alone would make it add.
        """
        shared = np.bincount(self._cell_cluster)[self._cell_cluster] > 1
        blocks = np.arange(self.n_strata)
        if shared.any():
            spanned = np.unique(self._cell_stratum[shared])
            blocks[spanned] = spanned[0]
        pairs, place = np.unique(
            blocks[self._cell_stratum] * self.n_clusters + self._cell_cluster, return_inverse=True
        )
        by_pair = np.bincount(place, (self.weights**2 / self._sizes)[self._cell_stratum] * self._held)
        expected, squared, moved = (
            np.bincount(pairs // self.n_clusters, part)
            for part in (by_pair, by_pair**2, np.bincount(place, self._moves) ** 2)
        )
        free = np.divide(expected**2, squared, out=np.ones_like(expected), where=squared > 0) - 1
        counts = free > _NO_FREEDOM
        free, expected, moved = free[counts], expected[counts], moved[counts]
        expected *= moved.sum() / expected.sum()
        added = (free * moved + _PRIOR * expected) / (free + _PRIOR)
        return float(added.sum() ** 2 / (added**2 / free).sum()) if added.any() else float(free.sum())

    @cached_property
    def spread(self) -> float:
        """The variance of a single value of 0 or 1, or -1, 0 or 1, with the same mean and mean size as these."""
        return self.mean(np.abs(self.values)) - self.mean() ** 2

    @cached_property
    def variance_of_items(self) -> float:
        """Of the mean, if clusters did not matter and values were 0, 1 or -1, which vary most."""
        sizes = np.bincount(self._stratum, np.abs(self.values), self.n_strata) / self._sizes
        return float((self.weights**2 * (sizes - self._means**2) / self._sizes).sum())

    @cached_property
    def least_size(self) -> float:
        """As many independent values as there are if each cluster is worth one, by the weights of strata."""
        return float(1 / (self.weights**2 / self._clusters_of_stratum).sum())

    @cached_property
    def cluster_means(self) -> Reals:
        """The mean of each cluster's values."""
        return np.asarray(np.bincount(self._cluster, self.values) / np.bincount(self._cluster), np.float64)

    @cached_property
    def _cells(self) -> tuple[Codes, Codes]:
        """The pairs of stratum and cluster that there are, and that of each value."""
        return np.unique(self._stratum * self.n_clusters + self._cluster, return_inverse=True)

    @cached_property
    def _cell_stratum(self) -> Codes:
        return self._cells[0] // self.n_clusters

    @cached_property
    def _cell_cluster(self) -> Codes:
        return self._cells[0] % self.n_clusters

    @cached_property
    def _clusters_of_stratum(self) -> NDArray[np.int64]:
        return np.bincount(self._cell_stratum, minlength=self.n_strata)

    @cached_property
    def _held(self) -> Reals:
        """By cell: the share of its stratum's values that the cluster holds."""
        return np.asarray(np.bincount(self._cells[1]) / self._sizes[self._cell_stratum], np.float64)

    @cached_property
    def _moves(self) -> Reals:
        """By cell: by how much the cluster moves the mean; 0 in strata with a single one."""
        centred = np.bincount(self._cells[1], self.values - self._means[self._stratum])
        centred[np.abs(centred) < _ROUNDING * np.bincount(self._cells[1])] = 0
        rest = np.where(self._held < 1, 1 - self._held, 1)
        return np.asarray((self.weights / self._sizes)[self._cell_stratum] * centred / np.sqrt(rest), np.float64)

    @cached_property
    def _means(self) -> Reals:
        return np.asarray(np.bincount(self._stratum, self.values, self.n_strata) / self._sizes, np.float64)

    @property
    def _of_agreeing(self) -> float:
        k, apart = self._clusters_of_stratum, np.abs(self._means - self.mean())
        agreeing = (np.bincount(self._cell_stratum, self._moves**2, self.n_strata) == 0) & (apart > _ROUNDING)
        matters = self.weights**2 / self._sizes
        variances = self.weights**2 * 2 * apart / (k + 2) / k
        return float((matters / matters.sum() * variances)[agreeing].sum())
