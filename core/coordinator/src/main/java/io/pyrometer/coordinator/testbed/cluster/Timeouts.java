package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import java.time.Duration;

/** How long a worker may take before it is given up. */
public final class Timeouts {
  public static final Duration QUICK = Duration.ofSeconds(20);
  public static final Duration START = Duration.ofSeconds(90);
  public static final Duration PREPARE = Duration.ofMinutes(3);
  public static final Duration TEAR_DOWN = Duration.ofSeconds(60);
  public static final Duration STOP = Duration.ofSeconds(10);

  private static final Duration TO_SAY_SO = Duration.ofSeconds(10);

  /** Records that any grid fills, and reads back, in a second. */
  private static final long RECORDS_A_SECOND = 10_000;

  private Timeouts() {}

  /** The time that an agent may take to fill a cache, or to read it back. */
  public static Duration ofRecords(Settings settings) {
    return PREPARE.plusSeconds(settings.get(CoreSettings.RECORDS) / RECORDS_A_SECOND);
  }

  /** The time an agent may wait for its calls in flight, plus a margin to report why. */
  public static Duration finish(Settings settings) {
    return server(settings.get(CoreSettings.DRAIN_TIMEOUT));
  }

  /** Variant of a load of a job, whose agents themselves see where a pass hangs. */
  public static Duration finish(Job job, Settings settings) {
    Duration calls = finish(settings);
    return job == Job.AGGREGATE ? calls.plus(CoreSettings.MAX_PASS) : calls;
  }

  /** The time a server may take to start, plus a margin for its worker to report a failure. */
  public static Duration server(double seconds) {
    return TO_SAY_SO.plusMillis((long) (seconds * 1_000));
  }

  /**
   * The time an agent may take to join a grid, where starts take so many times as long as usual.
   */
  static Duration session(double crowding) {
    return Duration.ofMillis((long) (START.toMillis() * crowding));
  }

  /** The timeout of a probe, which includes reading back. */
  public static Duration probe(Settings settings) {
    return finish(settings).plus(ofRecords(settings));
  }

  /** How long a process that died because Pyrometer is being ended waits for that end. */
  private static final Duration SHUTDOWN_GRACE = Duration.ofMillis(300);

  /**
   * Waits a moment, so that an end of this JVM that is under way comes before the failure that it
   * causes is recorded.
   */
  public static void letShutdownComeFirst(Time time) {
    time.sleep(SHUTDOWN_GRACE);
  }
}
