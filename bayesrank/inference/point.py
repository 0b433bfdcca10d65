"""The posterior mode as a fit: MAP, or maximum likelihood where the prior is flat."""

import numpy as np

from bayesrank.inference.curvature import require_curvature
from bayesrank.inference.mode import find_mode, is_sharp, sharpened
from bayesrank.inference.moving import moving_mode
from bayesrank.inference.normal import best_scale
from bayesrank.inference.scale_mixtures import mode_at_usual_scales
from bayesrank.progress import waiting
from bayesrank.results.fit import Fit

__all__ = ["fit_map"]


def fit_map(specification, options):
    """Return the posterior mode in the space of the parameters themselves.

    ``options`` are the `bayesrank.inference.options.Options`; only the progress matters here.

    Of a learned prior scale and the scores together there is no proper mode: the density grows
    without bound as all scores and the scale go to zero. So the scale is the one of highest
    evidence, and the mode is that of the rest given this scale.
    """
    if specification.moves is not None:
        mode, note = moving_mode(specification, options)
        return Fit.from_points(specification, "map", mode[None, None], note=note)
    if specification.learns_spreads:
        return _at_usual_scales(specification.replace(centered=True), options.progress)
    given, learned = specification, specification.learns_scale
    if learned:
        with waiting("Looking for the prior scale", options.progress):
            scale = best_scale(specification)
        given = specification.replace(scale=scale)
    start = None
    if options.start is not None and is_sharp(given):
        start = given.free(options.start)
    mode, report = find_mode(given, progress=options.progress, start=start)
    mode, slope = sharpened(given, mode)
    if specification.flat:
        require_curvature(specification, mode)
    at = f" at prior scale {scale:.3g}, the likeliest," if learned else ""
    note = (
        f"{'' if specification.observation.concave else 'There may be other modes. '}"
        f"{'Maximum likelihood' if specification.flat else 'Posterior mode'}{at} after "
        f"{report.nit} steps; largest gradient "
        f"{np.max(np.abs(slope)) / specification.observation.information:.1g} per result."
    )
    if learned:
        specification = specification.replace(centered=True)
        mode = np.append(np.log(scale), mode)
    return Fit.from_points(specification, "map", mode[None, None], note=note)


def _at_usual_scales(specification, progress):
    """Return the mode where several scales are learned."""
    mode, scales, report = mode_at_usual_scales(specification, progress)
    found = zip(specification.learned_scales, np.exp(scales), strict=True)
    at = ", ".join(f"{name} {value:.3g}" for name, value in found)
    note = (
        f"Posterior mode at {at}, after {report.nit} steps; largest gradient "
        f"{np.max(np.abs(report.jac)):.1g} per result."
    )
    return Fit.from_points(specification, "map", mode[None, None], note=note)
