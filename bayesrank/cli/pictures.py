"""The pictures of the command line, one row per picture. Nothing heavy is imported."""

from dataclasses import dataclass

__all__ = ["PICTURES", "Picture"]


@dataclass(frozen=True)
class Picture:
    """A picture that can be asked for.

    Attributes
    ----------
    name : str
        What the user writes.
    needs_draws : bool
        Whether a single point is not enough.
    needs_adherences : bool
        Whether only a model with adherences and variances has it.
    draws_data : bool
        Whether the data are compared with new ones that the model draws.
    needs_moves : bool
        Whether only scores that move have it.
    needs_agents : bool
        Whether something must differ between agents.
    needs_categories : bool
        Whether scores must differ between categories.
    """

    name: str
    needs_draws: bool = True
    needs_adherences: bool = False
    draws_data: bool = False
    needs_moves: bool = False
    needs_agents: bool = False
    needs_categories: bool = False

    @property
    def method(self):
        """Name of the method of a `Fit` that draws it."""
        return f"plot_{self.name.partition('-')[0]}"

    @property
    def statistic(self):
        """What is compared, for a check of one statistic; otherwise empty."""
        return self.name.partition("-")[2]


_ROWS = (
    Picture("ranking", needs_draws=False),
    Picture("ranks"),
    Picture("wins", needs_draws=False),
    Picture("worths"),
    Picture("check", draws_data=True),
    Picture("check-ties", draws_data=True),
    Picture("check-wins", draws_data=True),
    Picture("check-ranks", draws_data=True),
    Picture("prior"),
    Picture("history", needs_draws=False, needs_moves=True),
    Picture("agents", needs_draws=False, needs_agents=True),
    Picture("categories", needs_draws=False, needs_categories=True),
    Picture("adherences", needs_draws=False, needs_adherences=True),
    Picture("variances", needs_draws=False, needs_adherences=True),
)
PICTURES = {picture.name: picture for picture in _ROWS}
