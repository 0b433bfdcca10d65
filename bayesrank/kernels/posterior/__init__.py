"""The log-posterior of any model and its gradient, in one compiled pass.

A model is a table of whole numbers and addresses, which `bayesrank.model.program` makes: its
parameters (`transforms`), the operations of its predictor (`predictor`), the kernel and, for a
sampler, its coordinates (`coordinates`). One compiled function serves all of them (`function`).
"""
