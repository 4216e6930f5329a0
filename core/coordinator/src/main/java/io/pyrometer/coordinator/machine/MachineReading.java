package io.pyrometer.coordinator.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What the machine's counters stand at. Linux alone has them; elsewhere they are empty.
 *
 * @param cpu seconds of all cores since boot
 * @param throttled how often the control group's CPU quota stopped us
 * @param pressure seconds since boot in which something that could run waited for a CPU
 * @param wallMillis by the wall clock
 * @param nanos by a clock that is never set
 */
public record MachineReading(
    Optional<Cpu> cpu,
    Optional<Long> throttled,
    Optional<Double> pressure,
    long wallMillis,
    long nanos) {
  private static final double TICKS_PER_SECOND = 100;
  private static final String TOTAL = "total=";
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

  /**
   * @param busy seconds of work of any process
   * @param steal seconds in which the hypervisor ran something else
   * @param total seconds
   */
  public record Cpu(double busy, double steal, double total) {}

  /** Reads the counters now. */
  public static MachineReading now() {
    return new MachineReading(
        cpu(lines("/proc/stat")),
        timesThrottled(),
        pressure(lines("/proc/pressure/cpu")),
        System.currentTimeMillis(),
        System.nanoTime());
  }

  static Optional<Cpu> cpu(List<String> stat) {
    return stat.stream()
        .filter(line -> line.startsWith("cpu "))
        .map(line -> Stream.of(line.strip().split("\\s+")).skip(1).limit(STEAL + 1L))
        .map(fields -> fields.mapToLong(Long::parseLong).toArray())
        .filter(ticks -> ticks.length == STEAL + 1)
        .map(MachineReading::cpu)
        .findFirst();
  }

  private static Cpu cpu(long[] ticks) {
    long total = LongStream.of(ticks).sum();
    long busy = total - ticks[IDLE] - ticks[IO_WAIT] - ticks[STEAL];
    return new Cpu(
        busy / TICKS_PER_SECOND, ticks[STEAL] / TICKS_PER_SECOND, total / TICKS_PER_SECOND);
  }

  static Optional<Double> pressure(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("some "))
        .map(line -> Long.parseLong(line.substring(line.indexOf(TOTAL) + TOTAL.length())) / 1e6)
        .findFirst();
  }

  private static Optional<Long> timesThrottled() {
    return lines("/sys/fs/cgroup/cpu.stat", "/sys/fs/cgroup/cpu/cpu.stat").stream()
        .filter(line -> line.startsWith("nr_throttled "))
        .map(line -> Long.parseLong(line.substring("nr_throttled ".length()).strip()))
        .findFirst();
  }

  /** The lines of the first of these files that can be read; none elsewhere than on Linux. */
  static List<String> lines(String... files) {
    for (String file : files) {
      try {
        return Files.readAllLines(Path.of(file));
      } catch (IOException absent) {
        // The next one is tried.
      }
    }
    return List.of();
  }
}
