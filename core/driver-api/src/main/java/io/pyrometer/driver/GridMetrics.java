package io.pyrometer.driver;

import io.pyrometer.protocol.GridActivity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The metrics that a product keeps of itself in this process, in its own words.
 *
 * <p>Read about once a second while a trial is measured, on a thread of its own.
 */
public interface GridMetrics {

  /**
   * Asks the product to keep metrics that it keeps on demand alone, such as those of a cache; told
   * once a trial is prepared, before it begins to load, and perhaps in several processes at once.
   *
   * @throws GridException with one sentence for the user
   */
  default void enable() {}

  /** The present value of every metric that is there; names are unique. */
  List<GridMetric> read();

  /**
   * Latest end of each kind of background work that the product tells of, such as {@code
   * checkpoint}.
   *
   * @return by kind, an empty value where nothing has ended yet; empty where the product tells of
   *     none in this process
   */
  default Map<String, Optional<GridActivity>> activities() {
    return Map.of();
  }

  /**
   * The present value of one metric.
   *
   * @param name lower case with hyphens and points, such as {@code communication.sent-bytes}
   * @param value finite
   * @param unit as it is printed, such as {@code bytes}
   */
  record GridMetric(String name, double value, String unit, Kind kind) {}

  /** Meaning of a metric's value. */
  enum Kind {
    /** Counts since some moment in the past; only its growth means something. */
    COUNTER,
    /** A value at one moment, such as the length of a queue. */
    GAUGE
  }
}
