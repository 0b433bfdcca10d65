"""What is believed before the data: likelihoods, parameters with priors, and the predictor."""
