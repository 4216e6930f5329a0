package io.pyrometer.experiment.model;

import io.pyrometer.analysis.tuning.TuningSpace;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.protocol.Amount;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A search for the best configuration, as it is planned.
 *
 * @param trials at most
 * @param kept guarantees of the baseline that every configuration keeps
 * @param excluded levels that are not tried, each with its reason in a sentence
 * @param omitted what the budget is too small for
 */
public record Tuning(
    Goal goal,
    int trials,
    List<Knob> knobs,
    List<TuneSection.Limit> limits,
    KeptGuarantees kept,
    List<String> excluded,
    Optional<Omitted> omitted) {

  /** The level of each trial that says which part of the search it belongs to. */
  public static final String STAGE = "stage";

  /** The level of each trial that says what differs from the default. */
  public static final String CONFIGURATION = "configuration";

  /** The label of the default. */
  public static final String DEFAULT = "default";

  /**
   * Settings that are left out, because their trials exceed the budget.
   *
   * @param settings the less important ones, in the order of their importance
   * @param seconds of a search of all settings, by estimate
   */
  public record Omitted(List<String> settings, double seconds) {}

  /**
   * A setting that is varied.
   *
   * @param levels in ascending order where they are numbers
   * @param initial index of the level of the default
   */
  public record Knob(
      String setting,
      List<Level> levels,
      boolean ordered,
      int initial,
      Optional<TuningSpace.Needs> needs) {

    /** Index of the level that complete settings have. */
    int in(Settings settings) {
      return IntStream.range(0, levels.size())
          .filter(
              i -> {
                Map<String, Object> own = levels.get(i).settings().values();
                return !own.isEmpty() && settings.values().entrySet().containsAll(own.entrySet());
              })
          .reduce(initial, (before, last) -> last);
    }
  }

  /** The figure to optimise. */
  public enum Measure {
    THROUGHPUT("records per second"),
    CPU("CPU time per record"),
    P99("p99"),
    MEMORY("resident memory of the servers");

    private final String words;

    Measure(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  /**
   * The goal of a search.
   *
   * @param rate calls per second that are offered; 0 for a closed loop
   */
  public record Goal(Measure measure, double rate) {
    private static final String P99_AT = "p99@";

    /** How a goal is written. */
    public static final String FORMS = "throughput, cpu, memory, or p99 at a rate, as p99@20k";

    /** Reads a goal; empty if the text is none. */
    public static Optional<Goal> parse(String text) {
      return text.startsWith(P99_AT)
          ? Amount.parse(text.substring(P99_AT.length()), Amount.COUNTS)
              .map(rate -> new Goal(Measure.P99, rate.doubleValue()))
          : Stream.of(Measure.THROUGHPUT, Measure.CPU, Measure.MEMORY)
              .filter(measure -> measure.name().toLowerCase(Locale.ROOT).equals(text))
              .map(measure -> new Goal(measure, 0))
              .findFirst();
    }
  }

  /** The settings of a configuration that differ from the default's. */
  public Settings settings(List<Integer> configuration) {
    Settings settings = Settings.NONE;
    for (int i = 0; i < knobs.size(); i++) {
      settings = settings.with(knobs.get(i).levels().get(configuration.get(i)).settings());
    }
    return settings;
  }

  public List<Integer> configuration(Settings trial) {
    return knobs.stream().map(knob -> knob.in(trial)).toList();
  }

  /** The differences of a configuration from the default, in words. */
  public String label(List<Integer> configuration) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < knobs.size(); i++) {
      Knob knob = knobs.get(i);
      if (configuration.get(i) != knob.initial()) {
        words.add(knob.setting() + " " + knob.levels().get(configuration.get(i)).label());
      }
    }
    return words.isEmpty() ? DEFAULT : String.join(", ", words);
  }
}
