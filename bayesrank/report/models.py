"""Each likelihood and prior in a formula and in words."""

__all__ = ["formula", "meaning", "priors"]


def formula(specification):
    """Return the likelihood's name, and its meaning in words and as a formula."""
    kind = specification.kind
    words = kind.words
    if specification.order_effect:
        words += " The left item has the order effect added to its score."
    if specification.moves is not None:
        words += f" {specification.moves.words}"
    for term in getattr(specification.observation, "varying", ()):
        words += f" {term.says}"
    if specification.has_entry_features:
        words += " The features of its entry add to an item's score."
    if getattr(specification.observation, "weight_rule", None) == "effective":
        words += (
            " Preferences that come from one ranking or from ratings are not independent; they "
            "are weighted to count as independent ones would."
        )
    text = kind.formula
    if specification.moves is not None:
        text += f";  {specification.moves.formula}"
    return {"name": kind.title, "words": words, "text": text}


def meaning(name, specification):
    """Return what a parameter is, by its name."""
    quantity = specification.quantities.get(str(name).split("[")[0])
    return "" if quantity is None else quantity.meaning


def priors(specification):
    """Return a sentence for the prior of each parameter, as the model has it."""
    sentences = [parameter.sentence for parameter in specification.parameters]
    if specification.features is not None and specification.item_effects:
        sentences.append("A score is the item's own effect plus the contribution of its features.")
    return sentences
