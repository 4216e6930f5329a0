package io.pyrometer.jmh;

import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.KindReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Presentation of benchmarks in reports: one ranking of caches for each benchmark. */
public final class JmhReport implements KindReport {

  @Override
  public Job job() {
    return Benchmark.JOB;
  }

  @Override
  public String title() {
    return "JMH";
  }

  /** The case, or else the name of the benchmark, and the other conditions. */
  @Override
  public String rankedUnder(TrialRecord trial) {
    String path = trial.settings().get(CoreSettings.PATH);
    StringBuilder name =
        new StringBuilder(
            trial
                .levels()
                .getOrDefault(
                    Treatments.CASE, Benchmark.ofPath(path).map(Benchmark::word).orElse(path)));
    trial
        .levels()
        .forEach(
            (factor, level) -> {
              if (BenchmarkSettings.CONDITIONS.contains(factor)) {
                name.append(" · ").append(factor).append(' ').append(level);
              }
            });
    return name.toString();
  }

  /** Without the case and other conditions, which all trials of a ranking share. */
  @Override
  public String label(TrialRecord trial) {
    Map<String, String> levels = new LinkedHashMap<>(trial.levels());
    levels.remove(Treatments.CASE);
    levels.keySet().removeAll(BenchmarkSettings.CONDITIONS);
    return Labels.of(levels, trial.settings().get(CoreSettings.DRIVER));
  }

  /** Numbers of entries that differ. */
  @Override
  public List<String> marks(TrialRecord trial, TrialRecord baseline) {
    String records = CoreSettings.RECORDS.name();
    long entries = trial.settings().number(records);
    return entries == baseline.settings().number(records)
        ? List.of()
        : List.of("%s entries".formatted(Numbers.shorten((double) entries)));
  }

  @Override
  public boolean recordsLatencyOverTime() {
    return false;
  }

  @Override
  public Optional<Finding> steadinessNotJudged() {
    return Optional.of(Finding.info("validity.fixed-warm-up"));
  }
}
