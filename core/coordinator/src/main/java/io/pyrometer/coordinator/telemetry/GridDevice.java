package io.pyrometer.coordinator.telemetry;

/** The metrics that the product keeps of itself, and its views of its state. */
public final class GridDevice extends RecorderDevice {
  public GridDevice() {
    super(
        "grid",
        "the product's own metrics: growth of counters, mean and maximum of gauges;"
            + " its views at the end");
  }
}
