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
 * traffic by {@code send} and {@code recv} is not part of it. Of the machine, how busy the busiest
 * disk was.
 */
public final class IoRecorder implements Recorder {
  private static final Path SOURCE = Path.of("/proc/self/io");

  private static final Path DISKS = Path.of("/proc/diskstats");

  // Of a line of /proc/diskstats; partitions are never busier than their disks.
  private static final int DISK_NAME = 2;
  private static final int DISK_BUSY_MILLIS = 12;

  private Optional<Map<String, Long>> before = Optional.empty();
  private Map<String, Long> disksBefore = Map.of();
  private long startedNanos;

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
    disksBefore = disks();
    startedNanos = System.nanoTime();
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
    double seconds = (System.nanoTime() - startedNanos) / 1e9;
    busiest(disksBefore, disks(), seconds)
        .ifPresent(busy -> readings.add(Reading.lower("disk-busy-max", busy, "%")));
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

  /** Percent of the time for which the busiest disk was busy; empty where none is known. */
  static Optional<Double> busiest(Map<String, Long> before, Map<String, Long> now, double seconds) {
    return now.entrySet().stream()
        .filter(disk -> before.containsKey(disk.getKey()))
        .map(disk -> (disk.getValue() - before.getOrDefault(disk.getKey(), 0L)) / 10.0 / seconds)
        .max(Double::compare);
  }

  private static Map<String, Long> disks() {
    try {
      return busyMillis(Files.readAllLines(DISKS));
    } catch (IOException absent) {
      return Map.of();
    }
  }

  /** Milliseconds for which each disk was busy since boot. */
  static Map<String, Long> busyMillis(List<String> lines) {
    Map<String, Long> disks = new HashMap<>();
    for (String line : lines) {
      String[] fields = line.strip().split("\\s+", -1);
      if (fields.length > DISK_BUSY_MILLIS && !fields[DISK_NAME].matches("(loop|z?ram)\\d+")) {
        disks.put(fields[DISK_NAME], Long.valueOf(fields[DISK_BUSY_MILLIS]));
      }
    }
    return disks;
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
      throw GridException.of("This machine does not count the I/O of a process in %s.", SOURCE);
    }
  }
}
