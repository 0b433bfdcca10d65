"""The terms of the predictor, one idea per file, in the order of the flat vector.

A new term is a file here and a line where terms are listed: in `bayesrank.model.predictor` for
terms of items, in the observation for terms of slots and ties.
"""
