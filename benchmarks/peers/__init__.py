"""The reference problems in the words of others: same data, same model, same prior."""
