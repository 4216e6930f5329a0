package io.pyrometer.results.analyses;

import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.List;

/** An analysis of a run as a whole, whose findings belong to the run's answer. */
abstract class WholeRunAnalysis implements Analysis {
  private final String id;
  private final String response;
  private final String unit;

  WholeRunAnalysis(String id, String response, String unit) {
    this.id = id;
    this.response = response;
    this.unit = unit;
  }

  @Override
  public final String id() {
    return id;
  }

  @Override
  public final List<RunAnalysis> of(RunRecord run) {
    return List.of(RunAnalysis.whole(id, response, unit, () -> analyze(run)));
  }

  /**
   * The tables and findings.
   *
   * @throws RunAnalysis.NoResult where no trial has the metrics
   */
  abstract StudyResult analyze(RunRecord run);
}
