package io.pyrometer.analysis.scalability;

/** The scale on which residuals are squared and summed. */
public enum FitScale {
  /** On X: right where the spread is the same everywhere; how published figures are made. */
  LINEAR,
  /** On ln X: right where the spread is a share of X, as throughput's is. */
  LOG
}
