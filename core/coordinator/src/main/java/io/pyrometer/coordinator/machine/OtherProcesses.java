package io.pyrometer.coordinator.machine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The CPU time that the processes of this machine have used which are not Pyrometer's, to name
 * those that disturb a trial. Processes that begin after one reading and end before the next are
 * not seen, nor those of which the system tells this user nothing.
 */
public record OtherProcesses(Map<ProcessHandle, Duration> used) {
  public static final OtherProcesses NONE = new OtherProcesses(Map.of());

  public static OtherProcesses now() {
    ProcessHandle self = ProcessHandle.current();
    Set<ProcessHandle> own =
        Stream.concat(Stream.of(self), self.descendants()).collect(Collectors.toSet());
    Map<ProcessHandle, Duration> used = new HashMap<>();
    ProcessHandle.allProcesses()
        .filter(process -> !own.contains(process))
        .forEach(
            process ->
                process.info().totalCpuDuration().ifPresent(time -> used.put(process, time)));
    return new OtherProcesses(used);
  }

  /** CPU seconds since an earlier reading, by the name of the program. */
  public Map<String, Double> secondsSince(OtherProcesses before) {
    Map<String, Double> seconds = new TreeMap<>();
    used.forEach(
        (process, now) -> {
          Duration more = now.minus(before.used.getOrDefault(process, Duration.ZERO));
          process
              .info()
              .command()
              .map(command -> String.valueOf(Path.of(command).getFileName()))
              .ifPresent(name -> seconds.merge(name, more.toNanos() / 1e9, Double::sum));
        });
    return seconds;
  }
}
