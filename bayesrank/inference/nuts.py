"""Posterior draws by NUTS."""

import warnings

import numpy as np

from bayesrank.inference.coordinates import Coordinates
from bayesrank.inference.threads import one_blas_thread
from bayesrank.kernels.native import function
from bayesrank.progress import waiting
from bayesrank.results.fit import Fit
from bayesrank.text import in_terminal

__all__ = ["fit_nuts", "warn_of_failure"]

# Warm-up that is enough: nutpie moves in coordinates that are nearly standard normal.
_TUNE = {"nutpie": 400, "pymc": 1000}


def fit_nuts(
    specification, *, draws, tune, chains, seed, progress, sampler, target_accept, keep=None
):
    """Return posterior draws by nutpie's NUTS or PyMC's own.

    nutpie calls the kernel objective itself, so nothing is compiled for the model at hand; PyMC
    samples the model that a user may extend. ``keep`` is called now and then with the points and
    stats so far, for `bayesrank.inference.resumable`.
    """
    from bayesrank import _compat

    if sampler not in _TUNE:
        raise ValueError(f'`sampler` must be "nutpie" or "pymc", got {sampler!r}.')
    options = {
        "draws": draws, "tune": _TUNE[sampler] if tune is None else tune, "chains": chains,
        "seed": seed, "progress": progress,
    }  # fmt: skip
    if sampler == "nutpie":
        with waiting("Preparing the sampler; the first time it is compiled", progress):
            coordinates = Coordinates(specification)
            native = coordinates.native()
            if native is not None:
                function(native[0])

        def placed(points):
            moved = [coordinates.point(z) for chain in points for z in chain]
            return np.array(moved).reshape(*points.shape[:2], coordinates.size)

        if keep is not None:
            options["keep"] = lambda points, stats: keep(placed(points), stats)
        with one_blas_thread():
            points, stats = _compat.sample_objective(
                coordinates.objective, coordinates.size, native=native,
                target_accept=target_accept or _target(specification), **options,
            )  # fmt: skip
        fit = Fit.from_points(coordinates.specification, "nuts", placed(points), stats)
        fit.tune = options["tune"]
        return fit
    if specification.learns_scale:
        # Where the data fix the scores, a scale that multiplied unit effects would move against
        # all of them at once; otherwise scores drawn at that scale would make a funnel.
        specification = specification.replace(
            centered=Coordinates(specification).prior_share < 1 / 3
        )
        if target_accept is None:
            # At 0.8 some of the shipped data sets show divergences, at these rates hardly any.
            target_accept = 0.9 if specification.centered else 0.98
    idata = _compat.sample_model(
        specification.pymc(), sampler="pymc", target_accept=target_accept or 0.8, **options
    )
    fit = Fit.from_idata(specification, "nuts", idata)
    fit.tune = options["tune"]
    return fit


def warn_of_failure(fit):
    """Warn where draws cannot be used as they are; the terminal shows all diagnostics anyway."""
    if fit.method != "nuts" or in_terminal():
        return
    failed = [str(finding) for finding in fit.diagnostics().findings if finding.failed]
    if failed:
        warnings.warn(f"Do not trust this fit yet. {' '.join(failed)}", stacklevel=3)


def _target(specification):
    """Return the acceptance rate to aim at.

    In few dimensions steps are large and cheap, and so are small ones; and posteriors that may have
    more than one peak have corners that large steps miss.
    """
    if not specification.observation.concave:
        return 0.98
    return 0.8 if specification.size > 30 else 0.95
