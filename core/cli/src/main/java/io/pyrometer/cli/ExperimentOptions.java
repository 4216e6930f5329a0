package io.pyrometer.cli;

import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.Overrides;
import io.pyrometer.journal.PlannedRun.Form;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.Amount;
import io.pyrometer.results.Phrases;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The experiment to measure, and the changes to it. */
final class ExperimentOptions extends OverrideOptions {
  private static final double WITHOUT_REPEATS = 0.8;
  private static final double MIN_SECONDS = 0.1;
  private static final double MAX_SECONDS = 30.0 * 86_400;

  /** The default experiment. */
  static final String DEFAULT = "first-light";

  @Parameters(index = "0", arity = "0..1", paramLabel = "EXPERIMENT", defaultValue = DEFAULT)
  String experiment = DEFAULT;

  @Option(names = "--quick")
  boolean quick;

  @Option(names = "--full")
  boolean full;

  @Option(names = "--nodes", paramLabel = "1..N")
  Optional<String> nodes = Optional.empty();

  @Option(names = "--within", paramLabel = "TIME")
  Optional<String> within = Optional.empty();

  /** The experiment with the changes of the options. */
  Experiment experiment(Catalogue catalogue) {
    if (quick && full) {
      throw new RunException("--quick and --full exclude each other: remove one.");
    }
    Experiment changed = changed(quick, full, catalogue);
    return within.map(time -> within(time, changed, catalogue)).orElse(changed);
  }

  private Experiment changed(boolean asQuick, boolean asFull, Catalogue catalogue) {
    Experiment whole = ExperimentReader.read(experiment, catalogue);
    List<String> changes = new ArrayList<>(set);
    nodes.ifPresent(levels -> changes.add("nodes=" + levels));
    return new Overrides(asQuick, blocks, seed, changes)
        .applyTo(asFull ? Overrides.atFullLength(whole, catalogue) : whole, catalogue);
  }

  /** The longer forms of the experiment by their option; without those that refuse a change. */
  Map<String, Form> longerForms(Catalogue catalogue) {
    Map<String, Form> forms = new TreeMap<>();
    for (boolean asFull : new boolean[] {false, true}) {
      if (asFull ? !full : quick) {
        try {
          Plan plan = Planner.plan(changed(false, asFull, catalogue), catalogue);
          int most = plan.experiment().options().blocks();
          forms.put(asFull ? "--full" : "", new Form(most, plan.estimatedSeconds()));
        } catch (ExperimentException noSuchForm) {
          // The time of this form is not stated.
        }
      }
    }
    return forms;
  }

  private static Experiment within(String time, Experiment experiment, Catalogue catalogue) {
    Options of = experiment.options();
    IntFunction<Experiment> with = count -> experiment.with(of.with(count, of.seed()));
    return with.apply(
        blocksWithin(
            time,
            1,
            of.blocks(),
            count -> Planner.plan(with.apply(count), catalogue).estimatedSeconds()));
  }

  /**
   * How many blocks fit into the time that {@code --within} gives, of which a fifth is kept for
   * repeats of disturbed trials.
   *
   * @param least blocks that may take that part, too
   * @param most blocks, however much time there is
   * @param seconds that so many blocks take by estimate
   * @return at least 1
   * @throws RunException if the time is none, or not even one block fits
   */
  static int blocksWithin(String time, int least, int most, IntToDoubleFunction seconds) {
    double allowed = seconds("--within", time);
    double one = seconds.applyAsDouble(1);
    if (one > allowed) {
      throw RunException.of(
          "One block takes %s, which --within %s does not allow: give more time, or make it"
              + " shorter, as with --set measure=1s.",
          Phrases.about(one), time);
    }
    double each = (seconds.applyAsDouble(most) - one) / Math.max(1, most - 1);
    double all = Math.min(most, 1 + (allowed - one) / Math.max(each, 1e-3));
    double kept = Math.min(most, 1 + (WITHOUT_REPEATS * allowed - one) / Math.max(each, 1e-3));
    return (int) Math.max(kept, Math.min(least, all));
  }

  /**
   * A source that begins no block which would not end in the time that {@code --within} gives, if
   * it gives one, counted from now.
   *
   * @param least blocks that are begun however late it is
   */
  static TrialSource bounded(Optional<String> within, int least, TrialSource source) {
    long begun = System.nanoTime();
    return within
        .map(
            time ->
                TrialSource.within(
                    seconds("--within", time),
                    least,
                    () -> (System.nanoTime() - begun) / 1e9,
                    source))
        .orElse(source);
  }

  /** The time that an option gives. */
  static double seconds(String option, String time) {
    if (time.strip().matches("[\\d.]+")) {
      throw RunException.of(
          "%s is '%s', without a unit; write %2$sm or %2$ss.", option, time.strip());
    }
    return Amount.seconds(time)
        .map(BigDecimal::doubleValue)
        .filter(seconds -> seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)
        .orElseThrow(
            () ->
                RunException.of(
                    "%s is '%s' and must be a time of up to 720h such as 5m or 4h.", option, time));
  }
}
