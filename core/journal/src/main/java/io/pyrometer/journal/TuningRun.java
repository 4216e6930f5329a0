package io.pyrometer.journal;

import io.pyrometer.analysis.tuning.TuningSearch;
import io.pyrometer.analysis.tuning.TuningSearch.Measured;
import io.pyrometer.analysis.tuning.TuningSearch.Stage;
import io.pyrometer.analysis.tuning.TuningSearch.Step;
import io.pyrometer.analysis.tuning.TuningSpace;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A search for the best configuration as trials of a run: the n-th trial of the plan measures what
 * the search makes of the n−1 before it.
 */
public final class TuningRun {
  private final PlannedRun plan;
  private final Tuning tuning;
  private final DriverDescription driver;
  private final Settings base;
  private final TuningSearch search;

  private TuningRun(PlannedRun plan, Tuning tuning) {
    this.plan = plan;
    this.tuning = tuning;
    this.base = plan.groups().get(0).trials().get(0).settings();
    this.driver = plan.driver(plan.groups().get(0).settings());
    this.search = new TuningSearch(space(), plan.seed(), tuning.trials());
  }

  /**
   * The search of a run.
   *
   * @throws io.pyrometer.analysis.BadDataException if its trials are too few for its settings
   */
  public static TuningRun of(PlannedRun plan) {
    return new TuningRun(plan, plan.tuning().orElseThrow());
  }

  private TuningSpace space() {
    List<TuningSpace.Knob> knobs =
        tuning.knobs().stream()
            .map(
                knob ->
                    new TuningSpace.Knob(
                        knob.setting(),
                        knob.levels().size(),
                        knob.ordered(),
                        knob.initial(),
                        knob.needs()))
            .toList();
    return new TuningSpace(knobs, this::allowed);
  }

  /** Checks whether a configuration keeps all limits, and every guarantee that is to be kept. */
  public boolean allowed(List<Integer> configuration) {
    Settings settings = base.with(tuning.settings(configuration));
    return tuning.limits().stream().allMatch(limit -> limit.keptBy(settings))
        && tuning.kept().lost(driver, base, settings).isEmpty();
  }

  public TuningSearch search() {
    return search;
  }

  public Tuning tuning() {
    return tuning;
  }

  /** The settings of the default, complete. */
  public Settings base() {
    return base;
  }

  public DriverDescription driver() {
    return driver;
  }

  /** The next trial, on processes of its own; empty where the search has ended. */
  public Optional<Group> next(List<TrialRecord> history) {
    List<TrialRecord> selected = Attempts.selectedAttempts(history);
    if (!selected.isEmpty()) {
      TrialRecord last = selected.get(selected.size() - 1);
      if (history.stream()
          .anyMatch(each -> each.id().equals(last.id()) && Attempts.repeatDue(each, history))) {
        return Optional.of(group(selected.size() - 1, step(last)));
      }
    }
    return selected.size() >= plan.groups().size()
        ? Optional.empty()
        : search
            .next(measured(selected), history.size() - selected.size())
            .map(step -> group(selected.size(), step));
  }

  /** The measured configurations, in the order of the search. */
  public List<Measured> measured(List<TrialRecord> selected) {
    return selected.stream().map(trial -> new Measured(step(trial), response(trial))).toList();
  }

  private Step step(TrialRecord trial) {
    String stage = String.valueOf(trial.levels().get(Tuning.STAGE)).toUpperCase(Locale.ROOT);
    return new Step(Stage.valueOf(stage), trial.block(), tuning.configuration(trial.settings()));
  }

  /** The levels of the trials that measure a configuration in a stage. */
  public Map<String, String> levels(Stage stage, List<Integer> configuration) {
    Map<String, String> levels = new LinkedHashMap<>();
    levels.put(Tuning.STAGE, stage.name().toLowerCase(Locale.ROOT));
    levels.put(Tuning.CONFIGURATION, tuning.label(configuration));
    return levels;
  }

  /** Checks whether guarantees of a trial are probed; of a search only of what it confirms. */
  public static boolean isProbed(PlannedRun plan, TrialSpec trial) {
    return plan.tuning().isEmpty()
        || Stage.CONFIRMATION.name().equalsIgnoreCase(trial.levels().get(Tuning.STAGE));
  }

  private Group group(int number, Step step) {
    Group template = plan.groups().get(number);
    Settings changed = tuning.settings(step.configuration());
    TrialSpec trial = template.trials().get(0);
    return new Group(
        step.block(),
        template.process().with(new DriverVocabulary(driver).ofProcesses(changed)),
        List.of(
            new TrialSpec(
                trial.id(),
                trial.ordinal(),
                step.block(),
                levels(step.stage(), step.configuration()),
                trial.job(),
                trial.settings().with(changed),
                trial.record(),
                trial.seed())));
  }

  /** The logarithm of the figure to be maximised; empty where the trial failed. */
  private OptionalDouble response(TrialRecord trial) {
    double sign = tuning.goal().measure() == Tuning.Measure.THROUGHPUT ? 1 : -1;
    return figure(trial).filter(value -> value > 0).stream()
        .mapToDouble(value -> sign * Math.log(value))
        .findFirst();
  }

  /** The figure that the goal is about; empty where the trial failed or did not keep its rate. */
  public Optional<Double> figure(TrialRecord trial) {
    if (trial.outcome() != Outcome.OK) {
      return Optional.empty();
    }
    return switch (tuning.goal().measure()) {
      case THROUGHPUT -> trial.throughput();
      case CPU -> trial.value(Metric.CPU);
      case P99 ->
          RateSearch.reached(trial) >= RateSearch.REACHED * tuning.goal().rate()
              ? RateSearch.worst(trial, LatencyStatistic.P99)
              : Optional.empty();
      case MEMORY -> memory(trial);
    };
  }

  /** Resident memory of all servers after the measured part, bytes. */
  public static Optional<Double> memory(TrialRecord trial) {
    return trial.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().startsWith(Metric.RESIDENT_BYTES_OF + "node"))
        .map(metric -> metric.getValue().value())
        .reduce(Double::sum);
  }
}
