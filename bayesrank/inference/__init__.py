"""From a specification to draws: NUTS, ADVI, MAP (or maximum likelihood) and Laplace."""

from bayesrank.inference.fitting import fit, fit_specification
from bayesrank.inference.many_fits import fit_many
from bayesrank.inference.resumable import resume
from bayesrank.inference.sampling import sample
from bayesrank.results.methods import METHODS

__all__ = ["METHODS", "fit", "fit_many", "fit_specification", "resume", "sample"]
