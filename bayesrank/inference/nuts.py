"""Posterior draws by NUTS."""

import warnings

from bayesrank.inference.coordinates import Coordinates
from bayesrank.inference.moving_coordinates import MovingCoordinates
from bayesrank.inference.nutpie_driver import sample_posterior
from bayesrank.inference.scales import usual_scales
from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import waiting
from bayesrank.results.fit import Fit
from bayesrank.text import in_terminal

__all__ = ["fit_nuts", "warn_of_failure"]

# Warm-up that is enough: nutpie moves in coordinates that are nearly standard normal.
_TUNE = {"nutpie": 400, "pymc": 1000}


def fit_nuts(specification, options, keep=None):
    """Return posterior draws by nutpie's NUTS or PyMC's own.

    nutpie calls the kernel objective itself, so nothing is compiled for the model at hand; PyMC
    samples the model that a user may extend. ``keep`` is called now and then with what was drawn
    since the last time, for `bayesrank.inference.resumable`.
    """
    if options.sampler not in _TUNE:
        raise ValueError(f'`sampler` must be "nutpie" or "pymc", got {options.sampler!r}.')
    tune = _TUNE[options.sampler] if options.tune is None else options.tune
    size = {
        "draws": options.draws, "tune": tune, "chains": options.chains, "seed": options.seed,
        "progress": options.progress,
    }  # fmt: skip
    if options.sampler == "nutpie":
        fit = _by_nutpie(specification, options.target_accept, size, keep)
    else:
        fit = _by_pymc(specification, options.target_accept, size)
    fit.tune = tune
    return fit


def coordinates_of(specification):
    """Return the coordinates in which samplers move."""
    if specification.moves is not None:
        return MovingCoordinates(specification)
    if specification.learns_spreads:
        return usual_scales(specification.replace(centered=True))
    return Coordinates(specification)


def _by_nutpie(specification, target_accept, size, keep):
    """Return draws of the compiled objective."""
    with waiting("Preparing the sampler; the first time it is compiled", size["progress"]):
        coordinates = coordinates_of(specification)
        coordinates.table  # noqa: B018, which compiles

    def placed(points):
        return coordinates.points(points.reshape(-1, coordinates.size)).reshape(points.shape)

    if keep is not None:
        size = size | {"keep": lambda points, stats: keep([placed(x) for x in points], stats)}
    with one_blas_thread():
        points, stats = sample_posterior(
            coordinates, target_accept=target_accept or _target(specification), **size
        )
    points = placed(points)  # of many states both would be large
    return Fit.from_points(coordinates.specification, "nuts", points, stats)


def _by_pymc(specification, target_accept, size):
    """Return draws of the PyMC model."""
    from bayesrank import _compat

    if specification.learns_spreads:
        specification = specification.replace(centered=False)
        target_accept = target_accept or 0.95
    elif specification.learns_scale:
        # Where the data fix the scores, a scale that multiplied unit effects would move against
        # all of them at once; otherwise scores drawn at that scale would make a funnel.
        specification = specification.replace(
            centered=Coordinates(specification).prior_share < 1 / 3
        )
        if target_accept is None:
            # At 0.8 some of the shipped data sets show divergences, at these rates hardly any.
            target_accept = 0.9 if specification.centered else 0.98
    if specification.moves is not None and target_accept is None:
        target_accept = 0.98
    idata = _compat.sample_model(
        specification.pymc(), sampler="pymc", target_accept=target_accept or 0.8, **size
    )
    return Fit.from_idata(specification, "nuts", idata)


def warn_of_failure(fit, level=3):
    """Warn where draws cannot be used as they are; the terminal shows all diagnostics anyway."""
    if not fit.kind.has_chains or in_terminal():
        return
    failed = [str(finding) for finding in fit.diagnostics().findings if finding.failed]
    if failed:
        warnings.warn(f"Do not trust this fit yet. {' '.join(failed)}", stacklevel=level)


def _target(specification):
    """Return the acceptance rate to aim at.

    In few dimensions steps are cheap, small ones too. And posteriors that may have
    more than one peak have corners that large steps miss.
    """
    if not specification.observation.concave:
        return 0.98
    if specification.moves is not None and specification.size <= 500:
        return 0.98 if specification.size <= 200 else 0.9  # where little is known of how far
    return 0.8 if specification.size > 30 else 0.95
