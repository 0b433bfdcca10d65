"""What was observed: comparisons and rankings, their readers, and data sets that come along."""

from bayesrank.data.agreement import agreement
from bayesrank.data.comparisons import Comparisons
from bayesrank.data.connectivity import Connectivity
from bayesrank.data.preferences import maximal_partition
from bayesrank.data.rankings import Rankings
from bayesrank.data.readers import DATASETS, load_dataset, read

__all__ = [
    "DATASETS",
    "Comparisons",
    "Connectivity",
    "Rankings",
    "agreement",
    "load_dataset",
    "maximal_partition",
    "read",
]
