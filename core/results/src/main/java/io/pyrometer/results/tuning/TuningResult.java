package io.pyrometer.results.tuning;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.tuning.TuningOutcome;
import io.pyrometer.analysis.tuning.TuningSearch.Measured;
import io.pyrometer.analysis.tuning.TuningSearch.Stage;
import io.pyrometer.experiment.model.KeptGuarantees;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.model.Tuning.Knob;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TuningRun;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.Settings;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A search for the best configuration and its outcome.
 *
 * @param outcome empty where nothing but the default works, or the search has not come far enough
 */
public record TuningResult(
    RunRecord run, TuningRun search, List<Measured> measured, Optional<TuningOutcome> outcome) {
  static final String THROUGHPUT = "throughput";

  /** Result of a run, which has {@link io.pyrometer.journal.PlannedRun#tuning}. */
  public static TuningResult of(RunRecord run) {
    TuningRun search = TuningRun.of(run.plan());
    List<Measured> measured = search.measured(run.counting());
    return new TuningResult(run, search, measured, TuningOutcome.of(search.search(), measured));
  }

  public Tuning tuning() {
    return search.tuning();
  }

  /**
   * Index of the contender to use: the winner or, where a probe refuted one of its guarantees or it
   * failed, the runner-up; empty where none of them is better than the default.
   */
  public Optional<Integer> chosen() {
    for (int i = 1; outcome.isPresent() && i < outcome.get().contenders().size(); i++) {
      Optional<Estimate> gain = outcome.get().gains().get(i - 1);
      if (gain.isPresent() && refuted(i).isEmpty()) {
        return gain.get().low() > 1 ? Optional.of(i) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Probes that refute for a contender what they do not refute for the default. */
  public Set<ProbeKind> refuted(int contender) {
    Set<ProbeKind> refuted = new TreeSet<>(refuting(contender));
    refuted.removeAll(refuting(0));
    return refuted;
  }

  private Set<ProbeKind> refuting(int contender) {
    Map<String, String> levels = levels(contender);
    return run.probes().stream()
        .filter(probe -> probe.levels().equals(levels))
        .filter(probe -> probe.found().filter(found -> found.staleOrLost() > 0).isPresent())
        .map(ProbeResult::probe)
        .collect(Collectors.toSet());
  }

  private Map<String, String> levels(int contender) {
    return search.levels(Stage.CONFIRMATION, outcome.orElseThrow().contenders().get(contender));
  }

  /** Guarantees that a contender gives up by declaration, which only {@code --allow} permits. */
  public Set<String> givenUp(int contender) {
    Settings base = search.base();
    return KeptGuarantees.ALL.lost(
        search.driver(),
        base,
        base.with(tuning().settings(outcome.orElseThrow().contenders().get(contender))));
  }

  /** Changes of a contender. */
  public ConfigurationDiff diff(int contender) {
    List<Integer> configuration = outcome.orElseThrow().contenders().get(contender);
    List<ConfigurationDiff.Change> changes = new ArrayList<>();
    for (int i = 0; i < tuning().knobs().size(); i++) {
      Knob knob = tuning().knobs().get(i);
      if (configuration.get(i) != knob.initial()) {
        SettingDescription setting = description(knob.setting());
        changes.add(
            new ConfigurationDiff.Change(
                setting,
                knob.levels().get(knob.initial()).label(),
                Optional.ofNullable(
                        knob.levels()
                            .get(configuration.get(i))
                            .settings()
                            .values()
                            .get(knob.setting()))
                    .map(value -> SettingText.written(setting, value))
                    .orElseThrow()));
      }
    }
    return new ConfigurationDiff(changes);
  }

  private SettingDescription description(String name) {
    String path = search.base().get(CoreSettings.PATH);
    return Stream.of(
            search.driver().path(path).stream().flatMap(p -> p.settings().stream()),
            search.driver().settings().stream(),
            CoreSettings.ALL.stream())
        .flatMap(each -> each)
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .or(() -> search.driver().property(name))
        .orElseThrow();
  }

  /** The valid trials of the confirmation of a contender. */
  List<TrialRecord> confirmed(int contender) {
    return run.valid(levels(contender));
  }

  /** Other figures of a contender, as ratios to the default in the same blocks. */
  public Map<String, Estimate> traded(int contender) {
    Map<String, Function<TrialRecord, Optional<Double>>> figures = new LinkedHashMap<>();
    figures.put(THROUGHPUT, TrialRecord::throughput);
    figures.put("CPU time per record", trial -> trial.value(Metric.CPU));
    figures.put("p50 of the slowest operation", t -> RateSearch.worst(t, LatencyStatistic.P50));
    figures.put("p99 of the slowest operation", t -> RateSearch.worst(t, LatencyStatistic.P99));
    figures.put("resident memory of the servers", TuningRun::memory);
    Map<String, Estimate> traded = new LinkedHashMap<>();
    figures.forEach(
        (name, figure) -> {
          double[] ratios =
              RunRecord.ratios(
                  RunRecord.values(Map.of(), confirmed(0), figure),
                  RunRecord.values(Map.of(), confirmed(contender), figure));
          if (ratios.length > 1) {
            traded.put(name, Means.geometric(ratios, ""));
          }
        });
    return traded;
  }

  Optional<Double> figure(int contender) {
    return Means.arithmetic(
            confirmed(contender).stream()
                .flatMap(trial -> search.figure(trial).stream())
                .mapToDouble(figure -> figure),
            "")
        .map(Estimate::value);
  }

  /** Changes of settings as a diff of an experiment's file; options of a product have its names. */
  public record ConfigurationDiff(List<Change> changes) {

    /**
     * A setting that changes.
     *
     * @param before as a file would say it; such as {@code default} where no value is known
     */
    public record Change(SettingDescription setting, String before, String after) {}

    /** The grid's and the workload's settings of the experiment. */
    public String yaml() {
      List<String> lines = new ArrayList<>();
      for (boolean load : new boolean[] {false, true}) {
        List<Change> mine =
            changes.stream().filter(c -> (c.setting().scope() == Scope.LOAD) == load).toList();
        if (!mine.isEmpty()) {
          lines.add(load ? " workload:" : " grid:");
        }
        for (Change change : mine) {
          lines.add("-  # %s: %s".formatted(change.setting().name(), change.before()));
          lines.add("+  %s: %s".formatted(change.setting().name(), change.after()));
        }
      }
      return String.join("\n", lines);
    }

    /** Arguments of {@code run}: the experiment of a search, its settings and the changes. */
    public String command(PlannedRun search) {
      List<String> given = search.arguments();
      List<String> words = new ArrayList<>();
      words.add(
          given.stream()
              .filter(word -> word.matches(".*\\.ya?ml"))
              .findFirst()
              .orElse(search.name()));
      for (int i = 1; i < given.size(); i++) {
        if (given.get(i - 1).equals("--set")) {
          words.addAll(List.of("--set", given.get(i)));
        }
      }
      changes.forEach(
          change -> words.addAll(List.of("--set", change.setting().name() + "=" + change.after())));
      return String.join(" ", words);
    }
  }
}
