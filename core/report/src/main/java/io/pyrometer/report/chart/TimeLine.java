package io.pyrometer.report.chart;

import java.util.List;

/**
 * Something of one trial over time: its throughput, or the CPU time of one of its processes.
 *
 * @param rates in units a second, one for each sample
 * @param samplesPerSecond how many samples a second holds
 * @param measuredFrom index of the first sample that counts; before it lies the warm-up
 * @param settled whether the warm-up ended in a steady state
 */
public record TimeLine(
    String name, List<Double> rates, double samplesPerSecond, int measuredFrom, boolean settled) {

  /** Copies the list. */
  public TimeLine {
    rates = List.copyOf(rates);
  }

  double secondsAt(int sample) {
    return sample / samplesPerSecond;
  }
}
