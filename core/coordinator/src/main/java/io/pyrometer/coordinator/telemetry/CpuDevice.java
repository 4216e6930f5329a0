package io.pyrometer.coordinator.telemetry;

/** CPU time of each process, split into user and system time. */
public final class CpuDevice extends RecorderDevice {
  public CpuDevice() {
    super("cpu", "CPU time of each process, user and system, and major page faults");
  }
}
