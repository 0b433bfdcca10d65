"""Which model is taken where none is named."""

import bayesrank as br
from bayesrank.model.likelihoods import default_likelihood
from tests.model.ranked_lists import rankings_for


def test_default_models():
    assert default_likelihood(rankings_for("plackett-luce")) == "plackett-luce"
    assert default_likelihood(rankings_for("davidson-luce")) == "davidson-luce"
    large = br.Rankings.from_lists([[set(range(9)), 10], [10, 3, 4]])
    assert default_likelihood(large) == "partitioned-plackett-luce"
