"""The core: from locked bytes to verdicts and the label. It knows neither Qt nor the network."""
