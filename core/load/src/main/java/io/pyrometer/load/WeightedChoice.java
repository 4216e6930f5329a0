package io.pyrometer.load;

/** Draws indexes by weights. */
final class WeightedChoice {
  private final double[] upTo;

  /**
   * @param weights from 0, at least one above it
   */
  WeightedChoice(double[] weights) {
    upTo = new double[weights.length];
    double sum = 0;
    for (int i = 0; i < upTo.length; i++) {
      sum += weights[i];
      upTo[i] = sum;
    }
  }

  /** The index at a place of 0 (inclusive) to 1 (exclusive). */
  int of(double place) {
    double at = place * upTo[upTo.length - 1];
    int index = 0;
    while (upTo[index] <= at) {
      index++;
    }
    return index;
  }
}
