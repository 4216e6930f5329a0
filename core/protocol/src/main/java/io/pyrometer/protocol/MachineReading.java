package io.pyrometer.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The counters of the machine under a process, or their increases. Linux alone has them (proc(5),
 * cgroups(7)); elsewhere they are empty, except for the clocks.
 *
 * @param boot id of the kernel's boot, the same for all processes and containers of one machine;
 *     empty where the system has none
 * @param cpu seconds of all CPUs since the boot
 * @param throttled what a CPU quota took from the process's container, or its machine
 * @param pressure seconds since the boot in which something that could run waited for a CPU
 * @param wallMillis by the wall clock
 * @param nanos by a clock that is never set
 */
public record MachineReading(
    String boot,
    Optional<Cpu> cpu,
    Optional<Throttled> throttled,
    Optional<Double> pressure,
    long wallMillis,
    long nanos) {
  private static final double TICKS_PER_SECOND = 100;
  private static final String TOTAL = "total=";

  // Of the times in a line of /proc/stat; guest times, which follow steal, are part of user time.
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

  /**
   * @param cpus of the machine
   * @param busy seconds of work of any process
   * @param steal seconds in which the hypervisor ran something else
   * @param total seconds
   */
  public record Cpu(int cpus, double busy, double steal, double total) {}

  /**
   * The CPU time that a quota withheld.
   *
   * @param times that it stopped threads
   * @param seconds for which they were stopped, summed over threads
   */
  public record Throttled(long times, double seconds) {}

  /** Reads the counters now. */
  public static MachineReading now() {
    return new MachineReading(
        lines("/proc/sys/kernel/random/boot_id").stream().findFirst().map(String::strip).orElse(""),
        cpu(lines("/proc/stat")),
        throttled(lines("/sys/fs/cgroup/cpu.stat", "/sys/fs/cgroup/cpu/cpu.stat")),
        pressure(lines("/proc/pressure/cpu")),
        System.currentTimeMillis(),
        System.nanoTime());
  }

  /** Checks whether both are of one machine; no two are where the system has no boot id. */
  public boolean isOfSameMachine(MachineReading other) {
    return !boot.isEmpty() && isOfSameBoot(other);
  }

  boolean isOfSameBoot(MachineReading other) {
    return boot.equals(other.boot);
  }

  /** By how much the counters rose from {@code before}, which is of the same boot, to this. */
  public MachineReading since(MachineReading before) {
    return new MachineReading(
        boot,
        both(
            before.cpu,
            cpu,
            (from, to) ->
                new Cpu(
                    to.cpus, to.busy - from.busy, to.steal - from.steal, to.total - from.total)),
        both(
            before.throttled,
            throttled,
            (from, to) -> new Throttled(to.times - from.times, to.seconds - from.seconds)),
        both(before.pressure, pressure, (from, to) -> to - from),
        wallMillis - before.wallMillis,
        nanos - before.nanos);
  }

  private static <T> Optional<T> both(
      Optional<T> before, Optional<T> now, BinaryOperator<T> difference) {
    return before.flatMap(from -> now.map(to -> difference.apply(from, to)));
  }

  static Optional<Cpu> cpu(List<String> stat) {
    int cpus = (int) stat.stream().filter(line -> line.matches("cpu\\d+ .*")).count();
    return stat.stream()
        .filter(line -> line.startsWith("cpu "))
        .map(line -> Stream.of(line.strip().split("\\s+")).skip(1).limit(STEAL + 1L))
        .map(fields -> fields.mapToLong(Long::parseLong).toArray())
        .filter(ticks -> ticks.length == STEAL + 1)
        .map(ticks -> cpu(cpus, ticks))
        .findFirst();
  }

  private static Cpu cpu(int cpus, long[] ticks) {
    long total = LongStream.of(ticks).sum();
    long busy = total - ticks[IDLE] - ticks[IO_WAIT] - ticks[STEAL];
    return new Cpu(
        cpus, busy / TICKS_PER_SECOND, ticks[STEAL] / TICKS_PER_SECOND, total / TICKS_PER_SECOND);
  }

  static Optional<Double> pressure(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("some "))
        .map(line -> Long.parseLong(line.substring(line.indexOf(TOTAL) + TOTAL.length())) / 1e6)
        .findFirst();
  }

  /**
   * Reads the lines of a control group's {@code cpu.stat}: version 1 counts nanoseconds, version 2
   * microseconds. Empty where no quota can be set.
   */
  public static Optional<Throttled> throttled(List<String> stat) {
    return value(stat, "nr_throttled ")
        .map(
            times ->
                new Throttled(
                    times,
                    value(stat, "throttled_time ")
                        .map(nanos -> nanos / 1e9)
                        .or(() -> value(stat, "throttled_usec ").map(micros -> micros / 1e6))
                        .orElse(0.0)));
  }

  private static Optional<Long> value(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> Long.parseLong(line.substring(name.length()).strip()))
        .findFirst();
  }

  /** Numbers of processors as the kernel lists them: {@code 0-2,5} as 0, 1, 2, 5. */
  public static List<Integer> processors(String list) {
    List<Integer> cpus = new ArrayList<>();
    for (String part : list.strip().split(",", -1)) {
      String[] ends = part.strip().split("-", 2);
      if (!ends[0].isEmpty()) {
        int last = Integer.parseInt(ends[ends.length - 1]);
        IntStream.rangeClosed(Integer.parseInt(ends[0]), last).forEach(cpus::add);
      }
    }
    return List.copyOf(cpus);
  }

  /** The lines of the first of these files that can be read; none where there is no such file. */
  public static List<String> lines(String... files) {
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
