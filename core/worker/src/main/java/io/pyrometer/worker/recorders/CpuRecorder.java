package io.pyrometer.worker.recorders;

import com.sun.management.OperatingSystemMXBean;
import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Reading;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The process's CPU time, split into user and system time, and its major page faults, from {@code
 * /proc/self/stat}. Where there is none, CPU time alone.
 *
 * <p>The kernel counts the split in ticks of 10 ms.
 */
public final class CpuRecorder implements Recorder {
  /** USER_HZ, which is 100 on every architecture that a JDK 17 runs on. */
  private static final double TICKS_A_SECOND = 100;

  private static final int MAJOR_FAULTS = 9;
  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;

  private Optional<Usage> before = Optional.empty();

  private record Usage(double cpuSeconds, Optional<Split> split) {}

  private record Split(double userSeconds, double systemSeconds, double majorFaults) {}

  @Override
  public String device() {
    return "cpu";
  }

  @Override
  public Map<String, String> prepare(Setup setup) {
    return Map.of("source", now().split().isPresent() ? "/proc/self" : "the JVM");
  }

  @Override
  public void start() {
    before = Optional.of(now());
  }

  @Override
  public Result stop() {
    Usage now = now();
    Usage then = before.orElseThrow(() -> new GridException("CPU time is not being recorded."));
    before = Optional.empty();
    List<Reading> readings = new ArrayList<>();
    readings.add(Reading.lower("seconds", now.cpuSeconds - then.cpuSeconds, "s"));
    if (now.split.isPresent() && then.split.isPresent()) {
      Split end = now.split.get();
      Split start = then.split.get();
      readings.add(Reading.lower("user", end.userSeconds - start.userSeconds, "s"));
      readings.add(Reading.lower("system", end.systemSeconds - start.systemSeconds, "s"));
      readings.add(Reading.lower("major-faults", end.majorFaults - start.majorFaults, "faults"));
    }
    return new Result(readings, List.of());
  }

  private static Usage now() {
    double cpu =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime()
            / 1e9;
    return new Usage(cpu, split());
  }

  private static Optional<Split> split() {
    try {
      String line = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.UTF_8);
      // The command's name stands in parentheses and may hold blanks.
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
      return Optional.of(
          new Split(
              Long.parseLong(fields[USER_TICKS]) / TICKS_A_SECOND,
              Long.parseLong(fields[SYSTEM_TICKS]) / TICKS_A_SECOND,
              Long.parseLong(fields[MAJOR_FAULTS])));
    } catch (IOException noSuchFile) {
      return Optional.empty();
    }
  }
}
