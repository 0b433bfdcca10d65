r"""One ranking from the preferences of many: the multinomial preference model and its rivals.

Volkovs and Zemel, A flexible generative model for preference aggregation (2012). Rankings and
ratings become counts C_n(i, j): by how much agent n puts i above j. The counts of an agent are
draws of ordered pairs,

    P_n(i over j)  ~  exp( theta_n (s_i - s_j) / (gamma_i + gamma_j) )

with scores s and variances gamma of the items and adherences theta of the agents. The paper claims
that with theta learned from labelled queries the model is better than all rivals at joining the
lists of search engines (rank_aggregation.py), and that it ranks films by support and not by luck
(film_rankings.py).

    python3 -m models.multinomial_preference --part letor    # twenty minutes
    python3 -m models.multinomial_preference --part films
    python3 -m models.multinomial_preference --quick         # both, under a minute
"""

import bayesrank as br
from models.study import options

__all__ = ["main", "model"]


def model(votes, adherence=None, weight=1.0):
    """Return the model in PyMC, for the preferences of agents (`br.Comparisons`, by agent).

    Parameters
    ----------
    votes : Comparisons
    adherence : array, optional
        Adherences of the agents, such as those learned from labels; by default they are
        parameters.
    weight : float or array
        Power of the likelihood: counts that were made from ranks are not independent draws.
    """
    distribution = br.MPM
    import pymc as pm  # after our own distributions, which import it without its notices

    with pm.Model(coords=votes.coords) as made:
        score = pm.ZeroSumNormal("score", 1.0, dims="item")
        log_variance = pm.ZeroSumNormal("log_variance", 0.5, dims="item")
        # Equal variances are one half each, so that they leave the difference of scores as it is.
        variance = pm.Deterministic("variance", 0.5 * pm.math.exp(log_variance), dims="item")
        if adherence is None:
            adherence = pm.Uniform("adherence", 0.0, 1.0, dims="agent")
        distribution(
            "counts", score, variance, adherence, votes.left, votes.right, votes.agent,
            weight=weight, observed=votes.counts,
        )  # fmt: skip
    return made


def main(arguments=None):
    """Run one part of the study, or both, and return the results by name of the part."""
    part = {"choices": ("all", "letor", "films"), "default": "all"}
    chosen = options(__doc__, arguments, prog=f"python3 -m {__name__}", part=part)
    found = {}
    if chosen.part in ("all", "letor"):
        from models.multinomial_preference import rank_aggregation

        found["letor"] = rank_aggregation.run(chosen)
    if chosen.part in ("all", "films"):
        from models.multinomial_preference import film_rankings

        found["films"] = film_rankings.run(chosen)
    return found


if __name__ == "__main__":
    main()
