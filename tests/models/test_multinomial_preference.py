"""The multinomial preference model, written out for PyMC."""

import numpy as np

import bayesrank as br
from bayesrank.model.specification import Specification
from models import multinomial_preference
from tests.modes import AS_WRITTEN


def test_the_model_in_pymc_is_the_fitted_one():
    """The log-likelihood at some point, of the written-out model and of the package's own."""
    data = br.Rankings.from_lists([list("abcd"), list("bca"), list("dab")], agents=list("xyz"))
    votes = data.to_comparisons("difference", by_agent=True, warn=False)
    adherence = np.array([0.3, 0.9, 0.6])
    made = multinomial_preference.model(votes, adherence)
    assert made.named_vars_to_dims["score"] == ("item",)
    rng = np.random.default_rng(2)
    point = {v.name: rng.normal(size=3) for v in made.value_vars}
    (logp,) = made.logp(vars=made.observed_RVs, jacobian=False, sum=False)
    (scores,) = made.replace_rvs_by_values([made["score"]])
    (variance,) = made.replace_rvs_by_values([made["variance"]])
    found, score, spread = made.compile_fn(
        [logp, scores, variance], mode=AS_WRITTEN, on_unused_input="ignore"
    )(point)
    own = Specification(votes, "mpm", scale=1.0, adherence=adherence, weight=1.0, variances=True)
    expected = own.observation.log_likelihood({"score": score, "variance": spread})
    np.testing.assert_allclose(np.sum(found), expected.sum(), rtol=1e-9)
    free = multinomial_preference.model(votes)
    assert {v.name for v in free.free_RVs} == {"score", "log_variance", "adherence"}
