"""What a picture needs to be drawn, and the errors where it is missing."""

__all__ = ["require_draws", "require_model", "require_one_instance"]


def require_draws(fit, picture):
    """Refuse a fit that has no posterior draws; other draws of scores are always welcome."""
    if hasattr(fit, "_require_draws"):
        fit._require_draws(picture)


def require_one_instance(fit, picture):
    """Refuse a fit of several instances, each of which has a ranking of its own."""
    if hasattr(fit, "_require_one_instance"):
        fit._require_one_instance(f"{picture}()")


def require_model(fit, picture):
    """Refuse draws of scores that do not know which model they come from."""
    if not hasattr(fit, "specification"):
        raise TypeError(
            f"`{picture}` is a picture of a model and its data, so it needs a fit, got "
            f"{type(fit).__name__}."
        )
