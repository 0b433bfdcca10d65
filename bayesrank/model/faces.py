"""One model, three faces: a PyMC model, a function of numbers, and a table for samplers."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bayesrank.data.checks import whole_number
from bayesrank.model.predictor import Predictor
from bayesrank.model.program import Program
from bayesrank.model.protocols import Values

if TYPE_CHECKING:
    import pymc as pm

__all__ = ["Faces"]


class Faces(Predictor):
    """The faces of a `Specification`, each made from the same terms."""

    # The face for PyMC ------------------------------------------------------------------------

    def pymc(self) -> "pm.Model":
        """Return the model as a `pm.Model`, to sample from or to extend.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> built = model.pymc()
        >>> sorted(built.named_vars)
        ['counts', 'nu', 'score', 'tie_rate']
        """
        from bayesrank import _compat

        pm = _compat.pymc()
        import pytensor.tensor as pt

        with pm.Model(coords=self.coords) as model:
            made: Values = {}
            for parameter in self.parameters:
                scale = getattr(parameter, "prior_scale", None)
                known = () if scale is None else (made[scale],)
                made[parameter.name] = parameter.variable(*known)
            for term in self.terms:
                for name, value in term.derive(made, pt).items():
                    if name not in self.quantities:
                        made[name] = value
                        continue
                    dims = self.quantities[name].dims or None
                    made[name] = pm.Deterministic(name, value, dims=dims)
            if self.has_scores and "score" not in made:
                made["score"] = pm.Deterministic(
                    "score", self._score(made, pt), dims=self.score_dim
                )
            self.observation.observe(made.get("score"), made)
        return model

    # The face without PyMC --------------------------------------------------------------------

    @cached_property
    def program(self) -> Program:
        """The model as the compiled posterior sees it.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.program.layout.size
        6
        """
        program = Program(self.layout)
        score = None
        if "score" in self.layout.place:
            score = program.place("score")
        elif self.has_scores:
            score = program.room(len(self.observation.data.items))
            for term in self.terms:
                term.compile_score(program, score)
        self.observation.compile(program, score)
        return program.close()

    def split(self, x: np.ndarray) -> Values:
        """Return the free parameters' values by name, and the scores, at a flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> values = model.split(np.zeros(model.size))
        >>> sorted(values)
        ['score', 'tie_rate']
        """
        return self._with_score(self.layout.named(self.layout.constrain(x)))

    def constrain(self, x: np.ndarray) -> Values:
        """Return every named quantity of the model, derived ones too, at a flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> values = model.constrain(np.zeros(model.size))
        >>> {name: values[name] for name in ("nu", "tie_rate")}
        {'nu': np.float64(2.0), 'tie_rate': np.float64(0.5)}
        """
        return self._derive(self.split(x))

    def free(self, values: Values) -> np.ndarray:
        """Return the flat vector at which the free parameters have some values.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> x = np.linspace(-1.0, 1.0, model.size)
        >>> np.allclose(model.free(model.split(x)), x)
        True
        """
        return np.concatenate(
            [np.ravel(parameter.free(values[parameter.name])) for parameter in self.parameters]
        )

    def prior(self, draws: int = 1000, seed: int | None = None) -> dict[str, np.ndarray]:
        """Return draws of every named quantity from the prior, without PyMC.

        Parameters
        ----------
        draws : int
        seed : int, optional

        Returns
        -------
        dict of ndarray
            By name, draws by the quantity's own shape.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> draws = model.prior(1000, seed=1)
        >>> draws["score"].shape
        (1000, 6)
        >>> round(float(draws["tie_rate"].mean()), 1)
        0.5
        """
        whole_number("draws", draws, 1, booleans=True)
        if self.flat:
            raise ValueError(
                "A flat prior (infinite `scale`) has no draws: it is not a distribution. Fit with "
                "a finite `scale`, or without one, which learns it."
            )
        rng = np.random.default_rng(seed)
        drawn = [self._draw(rng) for _ in range(draws)]
        return {name: np.array([values[name] for values in drawn]) for name in drawn[0]}

    def _draw(self, rng: np.random.Generator) -> Values:
        """Return one draw of every named quantity from the prior."""
        values: Values = {}
        for parameter in self.parameters:
            scale = getattr(parameter, "prior_scale", None)
            known = () if scale is None else (values[scale],)
            values[parameter.name] = parameter.draw(rng, *known)
        return self._derive(self._with_score(values))

    def _with_score(self, values: Values) -> Values:
        """Add the scores to the free parameters' values where they are not among them."""
        if self.has_scores and "score" not in values:
            values["score"] = self._score(values, np)
        return values

    def _derive(self, values: Values) -> Values:
        """Add what follows from the free parameters, and drop what only the model works with."""
        for term in self.terms:
            values |= term.derive(values, np)
        working = {name for term in self.terms for name in term.working_names}
        return {name: value for name, value in values.items() if name not in working}

    def objective(self, x: np.ndarray, *, jacobian: bool = False) -> tuple[float, np.ndarray]:
        """Return the log-posterior and its gradient at a flat unconstrained vector.

        Parameters
        ----------
        x : ndarray
            The free parameters in PyMC's own unconstrained coordinates, in the order of
            ``parameters``.
        jacobian : bool
            Whether to add the log-Jacobian of the transforms: the density of ``x`` itself,
            instead of the density of the parameters that ``x`` stands for.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> value, gradient = model.objective(np.zeros(model.size))
        >>> round(value, 3), gradient.shape
        (-156.602, (6,))
        """
        x = np.array(x, dtype=float, ndmin=1)  # a copy, which may be written to
        if x.shape != (self.size,):
            raise ValueError(f"The model has {self.size} free numbers, got {len(x)}.")
        value, gradient = self.program.evaluate(x, jacobian)
        if not value > -np.inf and np.isfinite(x).all():
            # Scores or their squares overflow: as good as impossible, and no way is up.
            return -np.inf, np.zeros(self.size)
        return value, gradient
