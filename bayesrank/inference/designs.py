"""The results of a data set as linear functions of the parameters, for pairs and for rankings.

`bayesrank.inference.existence` asks them whether a maximum-likelihood estimate exists.
"""

import numpy as np
from scipy import sparse

__all__ = ["design_of"]

_SOME = 5000  # pairs of a ranking that are tried before all of them


def design_of(specification):
    """Return the design of a specification's data."""
    return {"pair": _PairDesign, "ranking": _RankingDesign}[specification.data.row](specification)


class _PairDesign:
    """Comparisons: one row for each ordered pair."""

    def __init__(self, specification):
        self.specification, self.data = specification, specification.data

    @property
    def sums_ties(self):
        """Whether of tied items only the sum of their worths counts."""
        return False

    @property
    def needs_program(self):
        """Whether a strongly connected win graph does not settle the question by itself.

        It does for scores alone. Scores and a tie parameter may run off together, unless both
        sides have won in some pair, which holds the tie parameter.
        """
        if self.specification.feature_names or self.specification.order_effect:
            return True
        wins, losses, ties = self.data.counts.T > 0
        return bool(ties.any() and not (wins & losses).any())

    def gram(self):
        """Return the products of the predictor's columns."""
        design = self.results()[0]
        return (design.T @ design).toarray()

    def results(self, *, some=False):
        """Return differences as linear functions of the parameters, and how each came out.

        These are the matrix; which rows are left wins, right wins and ties; and whether a tie
        threshold may move.
        """
        data, specification = self.data, self.specification
        rows, n = len(data), len(data.items)
        index = np.arange(rows)
        design = sparse.coo_array((np.ones(rows), (index, data.left)), shape=(rows, n)).tocsr()
        design -= sparse.coo_array((np.ones(rows), (index, data.right)), shape=(rows, n)).tocsr()
        if specification.features is not None:
            design = sparse.csr_array(design @ specification.standardized)
        if specification.has_entry_features:
            known = specification.observation.features
            design = sparse.hstack([design, known.matrix / known.spread]).tocsr()
        if specification.order_effect:
            design = sparse.hstack([design, np.ones((rows, 1))]).tocsr()
        seen = data.counts.sum(axis=1) > 0
        # Without ties in the data the threshold stays at zero, where it belongs.
        return (design[seen], *(data.counts[seen].T > 0), bool(data.counts[:, 2].any()))


class _RankingDesign:
    """Rankings: the items of each block against those of the next one."""

    def __init__(self, specification):
        self.specification, self.data = specification, specification.data
        self.observation, self.kind = specification.observation, specification.kind

    @property
    def sums_ties(self):
        """Whether of tied items only the sum of their worths counts."""
        return self.kind.has_ties and not self.kind.ties_bind

    @property
    def needs_program(self):
        """Whether a strongly connected win graph does not settle the question by itself."""
        return bool(self.specification.feature_names or self.specification.order_effect)

    def _entries(self):
        """Return the features of each entry of each ranking, in units of their spread."""
        known = self.observation.features
        if known is not None:
            return (known.matrix - known.centre) / known.spread
        return self.specification.standardized[self.data.entry_item]

    def gram(self):
        """Return the products of the predictor's columns, less their means in each ranking."""
        data, x = self.data, self._entries()
        means = np.add.reduceat(x, data.start[:-1]) / data.sizes[:, None]
        x = x - np.repeat(means, data.sizes, axis=0)
        return x.T @ x

    def _some(self):
        """Return every so many-th ranking, such that their pairs are few."""
        sizes, ranking = np.abs(self.observation.sizes), self.data.entry_ranking
        pairs = (sizes[:-1] * sizes[1:])[ranking[1:] == ranking[:-1]].sum()
        return slice(None, None, max(1, int(pairs) // _SOME))

    def results(self, *, some=False):
        """Return differences of features between each item and those of the next block.

        What holds from block to block holds for all pairs. Within a tie neighbours must stay
        equal. With ``some`` only some of the rankings are looked at.
        """
        data, by_entry = self.data, self._entries()[self.observation.order]
        rows = np.arange(len(data))
        strict, tied = [], []
        for row in rows[self._some()] if some else rows:
            held = slice(data.start[row], data.start[row + 1])
            x, start, blocks = by_entry[held], 0, []
            for size in self.observation.sizes[held]:
                if size == 0:
                    break
                block = x[start : start + abs(size)]
                if blocks:
                    strict.append((blocks[-1][:, None] - block[None]).reshape(-1, x.shape[1]))
                if self.kind.ties_bind and size > 1:
                    tied.append(np.diff(block, axis=0))
                blocks.append(block)
                start += abs(size)
        strict, tied = np.concatenate(strict), np.concatenate([*tied, np.empty((0, x.shape[1]))])
        design = sparse.csr_array(np.concatenate([strict, tied]))
        wins = np.arange(len(strict) + len(tied)) < len(strict)
        # Prevalences that are learned are looked after once the optimiser has stopped.
        return design, wins, np.zeros_like(wins), ~wins, False
