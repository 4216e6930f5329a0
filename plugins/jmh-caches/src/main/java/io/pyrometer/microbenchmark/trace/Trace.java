package io.pyrometer.microbenchmark.trace;

import io.pyrometer.driver.GridException;
import io.pyrometer.jmh.BenchmarkSettings;
import io.pyrometer.microbenchmark.ZipfKeys;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/**
 * A sequence of requests to a cache. Keys are numbered in the order in which they first occur, from
 * 0, so that a trace says which requests are equal and nothing else.
 */
public final class Trace {
  /** Different keys of Zipf parts, for each entry that the cache may hold. */
  private static final int KEYS_PER_ENTRY = 20;

  private static final int REQUESTS_BETWEEN_SCANS_PER_ENTRY = 20;
  private static final int SCAN_PER_ENTRY = 5;
  private static final int HOT_SETS = 10;
  private static final double HOT_SHARE = 0.8;
  private static final int MOST_REQUESTS = 50_000_000;

  private final int[] sequence;
  private final int keys;

  private Trace(int[] sequence, int keys) {
    this.sequence = sequence;
    this.keys = keys;
  }

  /** The trace of these requests, whatever their keys are. */
  public static Trace of(int... requests) {
    Map<Integer, Integer> numbers = new HashMap<>();
    int[] sequence = new int[requests.length];
    for (int i = 0; i < requests.length; i++) {
      int next = numbers.size();
      sequence[i] = numbers.computeIfAbsent(requests[i], key -> next);
    }
    return new Trace(sequence, numbers.size());
  }

  /**
   * The trace that the settings {@code trace}, {@code trace-file}, {@code requests}, {@code
   * capacity} and {@code zipf-exponent} ask for. The same random numbers give the same trace.
   *
   * @throws GridException with one sentence if a file cannot be read
   */
  public static Trace of(Settings settings, SplittableRandom random) {
    int requests = settings.get(BenchmarkSettings.REQUESTS);
    int capacity = settings.get(BenchmarkSettings.CAPACITY);
    double exponent = settings.get(CoreSettings.ZIPF_EXPONENT);
    return switch (settings.get(BenchmarkSettings.TRACE)) {
      case "zipf" -> zipf(requests, capacity, exponent, random);
      case "scan" -> scan(requests, capacity, exponent, random);
      case "loop" -> loop(requests, capacity);
      case "shift" -> shift(requests, capacity, random);
      case BenchmarkSettings.TRACE_OF_FILE ->
          file(
              settings
                  .find(BenchmarkSettings.TRACE_FILE)
                  .map(Path::of)
                  .orElseThrow(
                      () ->
                          new GridException(
                              "The trace 'file' needs a file: set 'trace-file' to its path.")),
              requests);
      default ->
          throw new IllegalArgumentException(
              "There is no trace '" + settings.get(BenchmarkSettings.TRACE) + "'.");
    };
  }

  /** Zipf keys, 20 for each entry of the cache. */
  static Trace zipf(int requests, int capacity, double exponent, SplittableRandom random) {
    ZipfKeys zipf = new ZipfKeys(keys(capacity), exponent, random);
    return generated(requests, i -> zipf.next());
  }

  /**
   * Zipf keys, interrupted after every 20 requests for each entry of the cache by a scan of five
   * times as many keys as it holds; no key of a scan ever comes again.
   */
  static Trace scan(int requests, int capacity, double exponent, SplittableRandom random) {
    int frequent = keys(capacity);
    ZipfKeys zipf = new ZipfKeys(frequent, exponent, random);
    long between = (long) REQUESTS_BETWEEN_SCANS_PER_ENTRY * capacity;
    long period = between + (long) SCAN_PER_ENTRY * capacity;
    // A key that is drawn nowhere else.
    return generated(requests, i -> i % period < between ? zipf.next() : frequent + i);
  }

  /** Twice as many keys as the cache holds entries, one after the other, again and again. */
  static Trace loop(int requests, int capacity) {
    return generated(requests, i -> (int) (i % (2L * capacity)));
  }

  /**
   * Four of five requests go to a hot set of half as many keys as the cache holds entries, all
   * others to 20 keys for each entry; the hot set is replaced nine times.
   */
  static Trace shift(int requests, int capacity, SplittableRandom random) {
    int cold = keys(capacity);
    int hot = Math.max(1, capacity / 2);
    return generated(
        requests,
        i ->
            random.nextDouble() < HOT_SHARE
                ? Math.addExact(
                    cold, (int) ((long) i * HOT_SETS / requests) * hot + random.nextInt(hot))
                : random.nextInt(cold));
  }

  private static Trace generated(int requests, IntUnaryOperator key) {
    int[] sequence = new int[requests];
    Arrays.setAll(sequence, key);
    return of(sequence);
  }

  private static int keys(int capacity) {
    return Math.multiplyExact(KEYS_PER_ENTRY, capacity);
  }

  /**
   * One request a line: its first word, up to a blank, tab, comma or semicolon, is the key. Empty
   * lines and those that begin with {@code #} do not count.
   *
   * @param most requests that are read
   */
  static Trace file(Path file, int most) {
    int[] sequence = new int[Math.min(most, MOST_REQUESTS)];
    Map<String, Integer> numbers = new HashMap<>();
    int count = 0;
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine();
          line != null && count < sequence.length;
          line = lines.readLine()) {
        Optional<String> key = key(line);
        if (key.isPresent()) {
          int next = numbers.size();
          sequence[count++] = numbers.computeIfAbsent(key.get(), unused -> next);
        }
      }
    } catch (IOException unreadable) {
      throw GridException.of(
          "The trace %s cannot be read (%s): name another file with 'trace-file'.",
          file.toAbsolutePath(), unreadable.getClass().getSimpleName(), unreadable);
    }
    if (count == 0) {
      throw GridException.of(
          "The trace %s holds no request: write one key a line.", file.toAbsolutePath());
    }
    return new Trace(Arrays.copyOf(sequence, count), numbers.size());
  }

  private static Optional<String> key(String line) {
    String text = line.strip();
    return text.isEmpty() || text.startsWith("#")
        ? Optional.empty()
        : Optional.of(text.split("[\\s,;]", 2)[0]);
  }

  /** The number of requests. */
  public int requests() {
    return sequence.length;
  }

  /** The number of different keys. */
  public int keys() {
    return keys;
  }

  /** The key of a request, from 0. */
  public int key(int request) {
    return sequence[request];
  }
}
