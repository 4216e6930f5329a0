package io.pyrometer.experiment.model;

import io.pyrometer.analysis.tuning.TuningSpace;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
      int found = initial;
      for (int i = 0; i < levels.size(); i++) {
        Settings own = levels.get(i).settings();
        boolean has =
            own.values().entrySet().stream()
                .allMatch(each -> each.getValue().equals(settings.values().get(each.getKey())));
        if (has && !own.values().isEmpty()) {
          found = i;
        }
      }
      return found;
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
    private static final Pattern P99_AT = Pattern.compile("p99@(\\d+(?:\\.\\d+)?)([km]?)");

    /** How a goal is written. */
    public static final String FORMS = "throughput, cpu, memory, or p99 at a rate, as p99@20k";

    /** Reads a goal; empty if the text is none. */
    public static Optional<Goal> parse(String text) {
      Matcher p99 = P99_AT.matcher(text);
      if (p99.matches()) {
        double unit = p99.group(2).equals("k") ? 1e3 : p99.group(2).equals("m") ? 1e6 : 1;
        return Optional.of(new Goal(Measure.P99, unit * Double.parseDouble(p99.group(1))));
      }
      return switch (text) {
        case "throughput" -> Optional.of(new Goal(Measure.THROUGHPUT, 0));
        case "cpu" -> Optional.of(new Goal(Measure.CPU, 0));
        case "memory" -> Optional.of(new Goal(Measure.MEMORY, 0));
        default -> Optional.empty();
      };
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
