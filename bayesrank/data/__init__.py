"""What was observed: comparisons and rankings, what reads them, and shipped data sets."""

from bayesrank.data.comparisons import Comparisons
from bayesrank.data.connectivity import Connectivity
from bayesrank.data.formats.judged_documents import JudgedDocuments
from bayesrank.data.formats.letor import read_letor
from bayesrank.data.formats.preflib import read_preflib, read_preflib_header, write_preflib
from bayesrank.data.formats.trec import read_qrels, read_runs
from bayesrank.data.label_agreement import agreement
from bayesrank.data.pairwise_preferences import maximal_partition
from bayesrank.data.rankings import Rankings
from bayesrank.data.readers import DATASETS, load_dataset, read

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
