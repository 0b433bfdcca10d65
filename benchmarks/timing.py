"""How the benchmarks take time: medians, the tasks taking turns in one run."""

import statistics
import time

import numpy as np

__all__ = ["median_times", "value_and_gradient"]


def median_times(tasks, repeats):
    """Return the median time of each task, the tasks taking turns."""
    times = {name: [] for name in tasks}
    for task in tasks.values():
        task()
    for _ in range(repeats):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def value_and_gradient(model, linker, point):
    """Return a task: a model's log-posterior and its gradient at a point, compiled."""
    function = model.compile_fn(
        [model.logp(), model.dlogp()], inputs=model.value_vars, point_fn=False, mode=linker
    )
    arguments = [np.asarray(point[variable.name]) for variable in model.value_vars]
    return lambda: function(*arguments)
