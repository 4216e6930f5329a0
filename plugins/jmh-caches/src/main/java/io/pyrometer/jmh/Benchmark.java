package io.pyrometer.jmh;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The benchmarks of caches. Each is an access path of the drivers whose product can run it. */
public enum Benchmark {
  /** Fills a fresh cache once; heap and off-heap memory of an entry are measured afterwards. */
  POPULATE(
      "populate",
      false,
      1_000_000,
      "put of every key into a fresh cache, the threads' keys interleaved; one shot an iteration"),
  /** Reads keys of which a known share is there. */
  READ(
      "read",
      true,
      100_000,
      "get of uniform keys of which a known share is there",
      BenchmarkSettings.HIT_RATE),
  /** Reads and overwrites. */
  MIXED("mixed", true, 100_000, "get and put of uniform keys", BenchmarkSettings.READS),
  /** Goes through all entries. */
  ITERATE("iterate", true, 100_000, "iteration over all entries"),
  /** Loads what is absent into a bounded cache, one key at a time. */
  LOAD_ZIPF(
      "load-zipf",
      true,
      100_000,
      "read-through of Zipf keys with a cache of 'records' entries",
      BenchmarkSettings.KEY_RANGE,
      CoreSettings.ZIPF_EXPONENT,
      BenchmarkSettings.MISS_COST),
  /** Loads what is absent into a bounded cache, many keys at a time. */
  LOAD_BULK(
      "load-bulk",
      true,
      100_000,
      "read-through of 10 to 300 Zipf keys at a time with a cache of 'records' entries",
      BenchmarkSettings.KEY_RANGE,
      CoreSettings.ZIPF_EXPONENT,
      BenchmarkSettings.MISS_COST);

  /** The job of all benchmarks. */
  public static final Job JOB = Job.of("jmh");

  /** Prefix of the names of the access paths. */
  static final String PREFIX = "jmh-";

  private final String word;
  private final boolean timed;
  private final String summary;

  @SuppressWarnings("ImmutableEnumChecker")
  private final List<SettingDescription> own;

  Benchmark(String word, boolean timed, long records, String summary, SettingKey<?>... settings) {
    this.word = word;
    this.timed = timed;
    this.summary = summary;
    this.own =
        Stream.concat(
                Stream.of(BenchmarkSettings.ENTRIES.withDefault(records)), Stream.of(settings))
            .<SettingDescription>map(SettingKey::description)
            .toList();
  }

  /** The name in experiment files, after {@code benchmark:}. */
  public String word() {
    return word;
  }

  /** The name of the access path. */
  public String path() {
    return PREFIX + word;
  }

  /** Returns whether iterations last a time; otherwise an iteration is one shot. */
  public boolean timed() {
    return timed;
  }

  /** The benchmark that an access path is; empty for a path of another kind. */
  public static Optional<Benchmark> ofPath(String path) {
    return Arrays.stream(values()).filter(each -> each.path().equals(path)).findFirst();
  }

  /**
   * The access path of a driver.
   *
   * @param reference whether other caches are compared with this one
   * @param ofDriver further settings, of the driver
   */
  public PathDescription description(boolean reference, SettingKey<?>... ofDriver) {
    List<SettingDescription> settings = new ArrayList<>(BenchmarkSettings.COMMON);
    settings.addAll(own);
    settings.addAll(SettingKey.descriptions(ofDriver));
    return new PathDescription(
        path(), JOB, reference, "JMH: " + summary + ".", Optional.empty(), settings);
  }
}
