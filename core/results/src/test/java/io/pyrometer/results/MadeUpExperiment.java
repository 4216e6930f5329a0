package io.pyrometer.results;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.Interleaving.Version;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two treatments of which runs can be made up. */
public final class MadeUpExperiment {
  private MadeUpExperiment() {}

  public static MadeUpRun runOf(int blocks) {
    return runOf(blocks, 1);
  }

  public static MadeUpRun runOf(int blocks, long seed) {
    return MadeUpRun.of(experiment(blocks, seed), Fixture.CATALOGUE);
  }

  /** Two versions of the same in the same blocks. */
  public static MadeUpRun interleaved(int blocks) {
    return interleaved(experiment(blocks, 1));
  }

  /** Two versions of an experiment in the same blocks. */
  public static MadeUpRun interleaved(Experiment experiment) {
    return MadeUpRun.of(
            InterleavedPlan.of(experiment, experiment, Fixture.CATALOGUE), Fixture.CATALOGUE)
        .comparing(
            new Interleaving(
                new Version("before", List.of()),
                new Version("after", List.of()),
                Optional.empty(),
                Map.of(),
                List.of(),
                List.of()));
  }

  private static Experiment experiment(int blocks, long seed) {
    return Fixture.read(
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
  }
}
