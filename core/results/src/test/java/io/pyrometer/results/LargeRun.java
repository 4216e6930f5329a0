package io.pyrometer.results;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** Writes the folder of a run of 100 treatments in 100 blocks, to see how long its report takes. */
public final class LargeRun {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: large
      question: How long does a report over 10,000 trials take?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000}
      factors:
        path: [put, put-all]
        backups: [0, 1, 2, 3, 4]
        nodes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
      blocks: 100
      analyses: [scalability, ranking]
      """;

  private LargeRun() {}

  /** Takes the folder to keep the run in. */
  public static void main(String[] arguments) throws Exception {
    Experiment experiment = Fixture.read(EXPERIMENT);
    RunFolder folder =
        MadeUpRun.of(experiment, Fixture.CATALOGUE)
            .timeline(Collections.nCopies(50, 100L))
            .write(
                Path.of(arguments[0]),
                trial -> {
                  double n = trial.settings().number("nodes");
                  return 1000 * n / (1 + 0.1 * (n - 1));
                });
    Random random = new Random(1);
    for (TrialRecord trial : folder.trials()) {
      Histogram calls = MadeUpRun.second("call", 0, 0);
      for (int i = 0; i < 1000; i++) {
        calls.recordValue((long) (1e6 * Math.exp(0.5 * random.nextGaussian())));
      }
      MadeUpRun.log(folder.histogram(trial.id(), 1), 0, List.of(calls));
    }
    System.out.println(folder.path());
  }
}
