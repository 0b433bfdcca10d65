"""Small data for the models of peers, and answers to compare."""

import bayesrank as br
from benchmarks.peers import plain_graph
from benchmarks.problems import simulate_pairs

# Rankings of different lengths, so that there are empty slots; and one in two blocks.
STRICT = br.Rankings.from_lists([["a", "b", "c", "d"], ["d", "a"], ["b", "d", "c"]])
BLOCKS = br.Rankings.from_lists([[{"a", "d", "e"}, {"b", "c", "f", "g"}]])
GRADES = br.Rankings.from_lists([[{"a", "b"}, "c"], ["d", {"e", "f"}, "g"], ["h", "i"]])
CASES = {
    "davidson": simulate_pairs(5, 12, 4),
    "plackett-luce": STRICT,
    "pmop": GRADES,
    "partitioned-plackett-luce": BLOCKS,
    "mpm": STRICT,
}


def answers(at, points):
    return [at(x)() for x in points]


def our_answers(problem, points):
    return [problem.specification.objective(x, jacobian=True) for x in points]


def nodes(problem, x):
    if problem.likelihood != "partitioned-plackett-luce":
        return {}
    return {"nodes": plain_graph.nodes_around(problem, x)}
