"""Log-densities of variables, by graphs that are compiled quickly."""

import numpy as np
import pymc as pm

from tests.modes import AS_WRITTEN


def logp(variable, value, mode=AS_WRITTEN):
    return pm.logp(variable, np.asarray(value)).eval(mode=mode)
