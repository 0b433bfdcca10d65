"""What was observed: comparisons and rankings, their readers, and data sets that come along."""

from bayesrank.data.agreement import agreement
from bayesrank.data.comparisons import Comparisons
from bayesrank.data.connectivity import Connectivity
from bayesrank.data.judged_documents import JudgedDocuments
from bayesrank.data.letor import read_letor
from bayesrank.data.preferences import maximal_partition
from bayesrank.data.preflib import read_preflib, read_preflib_header, write_preflib
from bayesrank.data.rankings import Rankings
from bayesrank.data.readers import DATASETS, load_dataset, read
from bayesrank.data.trec import read_qrels, read_runs

__all__ = [
    "DATASETS",
    "Comparisons",
    "Connectivity",
    "JudgedDocuments",
    "Rankings",
    "agreement",
    "load_dataset",
    "maximal_partition",
    "read",
    "read_letor",
    "read_preflib",
    "read_preflib_header",
    "read_qrels",
    "read_runs",
    "write_preflib",
]
