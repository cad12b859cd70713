"""The mean of strata's means of clustered values: its variance, and the degrees of freedom of that.

Strata (paradigms) are fixed, clusters (critical contrasts) are the sample, also those that span several strata.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Reals = NDArray[np.float64]

_WITHIN = 0.1
"""Correlation within clusters of the working model that degrees of freedom are of, if there are several strata."""
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
        numbers = values.to_numpy(np.float64)
        known = ~np.isnan(numbers)
        self.values = numbers[known]
        self._stratum, names = pd.factorize(strata.to_numpy()[known], sort=True, use_na_sentinel=False)
        cluster, contrasts = pd.factorize(clusters.to_numpy()[known], use_na_sentinel=False)
        self.n_strata, self.n_clusters = len(names), len(contrasts)
        equal = np.full(self.n_strata, 1 / max(self.n_strata, 1))
        by_stratum = equal if weights is None else weights.loc[names].to_numpy(np.float64)
        self.weights: Reals = by_stratum / (by_stratum.sum() or 1)
        self._sizes = np.bincount(self._stratum, minlength=self.n_strata)
        cells, self._cell = np.unique(self._stratum * self.n_clusters + cluster, return_inverse=True)
        self._cell_stratum, self._cell_cluster = np.divmod(cells, max(self.n_clusters, 1))
        self._clusters_of_stratum = np.bincount(self._cell_stratum, minlength=self.n_strata)

    @cached_property
    def shares(self) -> Reals:
        """How much each value counts in the mean; adds up to 1."""
        return np.asarray(self.weights[self._stratum] / self._sizes[self._stratum], np.float64)

    def mean(self, values: Reals | None = None) -> float:
        """The mean of the strata's means, of these values or of others aligned with them; NaN of nothing."""
        return float(self.shares @ (self.values if values is None else values)) if len(self.values) else np.nan

    @cached_property
    def alone(self) -> float:
        """The weight of the strata with a single cluster, in which nothing can vary."""
        return float(self.weights[self._clusters_of_stratum == 1].sum())

    @cached_property
    def variance(self) -> float:
        """Of the mean, robust to clusters: CR2 (Bell & McCaffrey 2002) in one stratum.

        In several, the jackknife of whole clusters, out of all their strata at once: CR3 (MacKinnon, Nielsen & Webb
        2023), with (k - 1) / k by stratum of k clusters (Rust & Rao 1996). CR2 is too small there if one cluster is
        most of each stratum; what one stratum lacks, its few degrees of freedom make up for. Where all clusters of a
        stratum agree, two more with the overall mean are imagined (after Agresti & Coull 1998), the more the stratum
        matters: a large part of the variance would else be taken for none.
        """
        centred = np.bincount(self._cell, self.values - self._means[self._stratum])
        centred[np.abs(centred) < _ROUNDING * np.bincount(self._cell)] = 0
        moves = np.bincount(self._cell_cluster, self._reach * centred, self.n_clusters)
        k, apart, matters = (
            self._clusters_of_stratum,
            np.abs(self._means - self.mean()),
            self.weights**2 / self._sizes,
        )
        agreeing = (np.bincount(self._cell_stratum, np.abs(centred), self.n_strata) == 0) & (apart > _ROUNDING)
        imagined = matters / matters.sum() * self.weights**2 * 2 * apart / (k + 2) / k
        return float(moves @ moves + imagined[agreeing].sum())

    @cached_property
    def freedom(self) -> float:
        """Degrees of freedom of `variance` (Satterthwaite 1946; Bell & McCaffrey 2002), which sizes alone decide.

        Twice the squared mean over the variance of `variance`, were values normal and independent, or in several
        strata correlated within clusters (Imbens & Kolesar 2016): strata with few clusters then vary most. There
        `variance` is y'P'Py, and what is wanted is trace(B)^2 / trace(B^2) with B = PVP', a row per cluster: diagonal
        but for as many dimensions as there are strata, twice.
        """
        from scipy.sparse import block_array, diags_array, hstack

        if self.n_strata < 2:
            squares, rest = self._held**2, self._held**2 / np.where(self._held < 1, 1 - self._held, np.inf)
            return round(float(1 / (squares.sum() + rest.sum() ** 2 - rest @ rest)), 6)
        counts = np.bincount(self._cell)
        moved, held = self._by_cluster(self._reach * counts), self._by_cluster(self._held)
        whole = moved.sum(axis=1)
        alone = np.bincount(self._cell_cluster, self._reach**2 * counts, self.n_clusters)
        diagonal = (1 - _WITHIN) * alone + _WITHIN * whole**2
        sides = hstack([moved, diags_array(whole) @ held], format="csr")
        back = diags_array(np.full(self.n_strata, -_WITHIN))
        shared = _WITHIN * (held.T @ held) - (1 - _WITHIN) * diags_array(1 / self._sizes)
        middle = block_array([[shared, back], [back, None]], format="csr")
        folded = middle @ (sides.T @ sides)
        trace = diagonal.sum() + folded.trace()
        squared = diagonal @ diagonal + 2 * (middle @ (sides.T @ diags_array(diagonal) @ sides)).trace()
        squared += folded.multiply(folded.T).sum()
        return round(float(trace**2 / squared), 6) if squared > 0 else 0.0

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
    def _held(self) -> Reals:
        """By cell of stratum and cluster: the share of its stratum's values that the cluster has."""
        return np.asarray(np.bincount(self._cell) / self._sizes[self._cell_stratum], np.float64)

    @cached_property
    def _reach(self) -> Reals:
        """By cell, how far each of its values moves the mean, scaled; 0 in strata with a single cluster."""
        k, rest = self._clusters_of_stratum[self._cell_stratum], np.where(self._held < 1, 1 - self._held, np.inf)
        scale = np.sqrt((k - 1) / k) / rest if self.n_strata > 1 else 1 / np.sqrt(rest)
        return np.asarray((self.weights / self._sizes)[self._cell_stratum] * scale, np.float64)

    @cached_property
    def _means(self) -> Reals:
        return np.asarray(np.bincount(self._stratum, self.values, self.n_strata) / self._sizes, np.float64)

    def _by_cluster(self, cells: Reals) -> csr_array:
        """Values of cells as a table with a row per cluster and a column per stratum."""
        from scipy.sparse import csr_array

        shape = self.n_clusters, self.n_strata
        return csr_array((cells, (self._cell_cluster, self._cell_stratum)), shape=shape)
