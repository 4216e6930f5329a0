package io.pyrometer.scenario;

import io.pyrometer.protocol.Job;
import io.pyrometer.results.KindReport;
import java.util.Optional;

/** How reports present scenarios. */
public final class ScenarioReport implements KindReport {

  @Override
  public Job job() {
    return ScenarioMessages.JOB;
  }

  @Override
  public String verb() {
    return "run the scenario";
  }

  @Override
  public String title() {
    return "Scenario";
  }

  @Override
  public Optional<String> withoutLatencyOverTime() {
    return Optional.of("Not drawn: a scenario keeps one histogram of its whole measured part.");
  }
}
