package io.pyrometer.chaos;

import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;
import io.pyrometer.results.KindReport;
import java.util.Optional;

/** How reports present trials under faults. */
public final class ChaosReport implements KindReport {

  @Override
  public Job job() {
    return ChaosMessages.JOB;
  }

  @Override
  public String verb() {
    return "call the grid under faults";
  }

  @Override
  public String title() {
    return "Operations under faults";
  }

  /** The rate is the same for all; what counts is whether promises are kept. */
  @Override
  public boolean rankedByThroughput(TrialRecord trial) {
    return false;
  }

  @Override
  public Optional<String> withoutLatencyOverTime() {
    return Optional.of("Not drawn: one histogram covers the whole measured part.");
  }

  @Override
  public Optional<Finding> steadinessNotJudged() {
    return Optional.of(
        Finding.notice(
            Finding.Kind.DISTURBED,
            "Steady states were not judged: the trials were disturbed on purpose.",
            "Nothing: their figures are not compared."));
  }
}
