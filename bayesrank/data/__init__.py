"""What was observed: comparisons, their readers, and the data sets that come along."""

from bayesrank.data.comparisons import Comparisons
from bayesrank.data.connectivity import Connectivity
from bayesrank.data.readers import DATASETS, load_dataset, read

__all__ = ["DATASETS", "Comparisons", "Connectivity", "load_dataset", "read"]
