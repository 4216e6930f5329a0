package io.pyrometer.worker.recorders;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The process's input and output as Linux counts it in {@code /proc/self/io}: bytes moved between
 * the page cache and the disk, and bytes and calls of {@code read} and {@code write}. Network
 * traffic by {@code send} and {@code recv} is not part of it.
 */
public final class IoRecorder implements Recorder {
  private static final Path SOURCE = Path.of("/proc/self/io");

  private Optional<Map<String, Long>> before = Optional.empty();

  @Override
  public String device() {
    return "io";
  }

  @Override
  public Map<String, String> prepare(Setup setup) {
    counters();
    return Map.of("source", SOURCE.toString());
  }

  @Override
  public void start() {
    before = Optional.of(counters());
  }

  @Override
  public Result stop() {
    Map<String, Long> now = counters();
    Map<String, Long> then = before.orElseThrow(() -> new GridException("No I/O is recorded."));
    before = Optional.empty();
    List<Reading> readings = new ArrayList<>();
    add(readings, "disk-read", "read_bytes", "B", then, now);
    add(readings, "disk-written", "write_bytes", "B", then, now);
    add(readings, "read", "rchar", "B", then, now);
    add(readings, "written", "wchar", "B", then, now);
    add(readings, "read-calls", "syscr", "calls", then, now);
    add(readings, "write-calls", "syscw", "calls", then, now);
    return new Result(readings, List.of());
  }

  private static void add(
      List<Reading> readings,
      String name,
      String counter,
      String unit,
      Map<String, Long> then,
      Map<String, Long> now) {
    if (then.containsKey(counter) && now.containsKey(counter)) {
      readings.add(Reading.lower(name, (double) (now.get(counter) - then.get(counter)), unit));
    }
  }

  private static Map<String, Long> counters() {
    try {
      Map<String, Long> counters = new HashMap<>();
      for (String line : Files.readAllLines(SOURCE)) {
        String[] counter = line.split(":", 2);
        counters.put(counter[0], Long.valueOf(counter[1].strip()));
      }
      return counters;
    } catch (IOException absent) {
      throw new GridException(
          "This machine does not count the I/O of a process in " + SOURCE + ".");
    }
  }
}
