package io.pyrometer.experiment.model;

import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.protocol.Settings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings and levels that {@code tune} may vary.
 *
 * @param settings names of settings that the driver lists, or {@link #ALL}
 * @param levels of other settings, and of those whose listed ones are not to be tried; they are
 *     more important than {@code settings}
 * @param limits that every configuration keeps
 */
public record TuneSection(
    List<String> settings, Map<String, List<Level>> levels, List<Limit> limits) {

  /** Every setting that the driver lists. */
  public static final String ALL = "all";

  /** The section of a file that has none. */
  public static final TuneSection EVERYTHING = new TuneSection(List.of(ALL), Map.of(), List.of());

  public TuneSection {
    settings = List.copyOf(settings);
    levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
    limits = List.copyOf(limits);
  }

  /**
   * Condition that the sum of some settings must not exceed a number.
   *
   * @param most canonical
   */
  public record Limit(List<String> settings, double most) {

    /** Checks whether settings keep the limit; one that is absent counts nothing. */
    public boolean keptBy(Settings complete) {
      return settings.stream().filter(complete::has).mapToDouble(complete::decimal).sum() <= most;
    }
  }
}
