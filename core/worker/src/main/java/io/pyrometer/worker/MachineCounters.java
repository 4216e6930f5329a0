package io.pyrometer.worker;

import io.pyrometer.protocol.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What the machine under this process has done, from {@code /proc/stat} (proc(5)). */
final class MachineCounters {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path STAT = Path.of("/proc/stat");
  private static final double TICKS = 100;

  // Of the times in a line of /proc/stat; guest times, which follow steal, are part of user time.
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

  private MachineCounters() {}

  /** The counters now; empty where the system has none. */
  static Optional<Answer.Machine> now() {
    try {
      return parse(Files.readString(BOOT).strip(), Files.readAllLines(STAT));
    } catch (IOException notLinux) {
      return Optional.empty();
    }
  }

  static Optional<Answer.Machine> parse(String boot, List<String> stat) {
    long cpus = stat.stream().filter(line -> line.matches("cpu\\d+ .*")).count();
    return stat.stream()
        .filter(line -> line.startsWith("cpu "))
        .map(line -> Stream.of(line.strip().split("\\s+")).skip(1).limit(STEAL + 1L))
        .map(fields -> fields.mapToLong(Long::parseLong).toArray())
        .filter(ticks -> ticks.length == STEAL + 1)
        .map(
            ticks -> {
              long total = LongStream.of(ticks).sum() - ticks[STEAL];
              long busy = total - ticks[IDLE] - ticks[IO_WAIT];
              return new Answer.Machine(boot, (int) cpus, busy / TICKS, total / TICKS);
            })
        .findFirst();
  }
}
