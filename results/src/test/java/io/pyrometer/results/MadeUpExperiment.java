package io.pyrometer.results;

import io.pyrometer.experiment.Experiment;
import io.pyrometer.experiment.Fixture;

/** Two treatments of which runs can be made up. */
public final class MadeUpExperiment {
  private MadeUpExperiment() {}

  public static MadeUpRun runOf(int blocks) {
    return runOf(blocks, 1);
  }

  public static MadeUpRun runOf(int blocks, long seed) {
    Experiment experiment =
        Fixture.read(
            """
            pyrometer: 1
            name: made-up
            question: Which?
            grid: {driver: rich}
            workload: {record: stock-order, records: 1000}
            factors: {path: [put, put-all]}
            blocks: %d
            seed: %d
            """
                .formatted(blocks, seed));
    return MadeUpRun.of(experiment, Fixture.CATALOGUE);
  }
}
