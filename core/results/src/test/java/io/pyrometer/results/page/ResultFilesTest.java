package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.Trials;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {
  @TempDir Path runs;

  private static List<String> cells(String line) {
    return List.of(line.split(",", -1));
  }

  @Test
  void everyMetricIsAColumnUnderItsOwnName() throws Exception {
    RunReport report =
        ResultFiles.write(
            MadeUpExperiment.runOf(2)
                .metrics(
                    (trial, metrics) -> {
                      if (trial.path().equals("put")) {
                        metrics.put("gc.pause", Metric.lowerIsBetter(12.5, "ms"));
                      }
                    })
                .write(runs, trial -> 1_000));
    List<String> lines = Files.readAllLines(report.run().folder().file("results.csv"));
    List<String> header = cells(lines.get(0));
    assertThat(header)
        .startsWith("schema", "trial", "block", "attempt", "job", "path", "outcome", "counts")
        .contains("whyNot", "disturbed", "settled", "start", "position")
        .contains("throughput", "cpu-per-record", "latency.call.p50", "latency.call.p99")
        .contains("latency.call.p99.9", "gc.pause", "cpu-seconds.node-0")
        .doesNotHaveDuplicates();
    assertThat(lines).hasSize(5);
    for (String line : lines.subList(1, 5)) {
      List<String> row = cells(line);
      assertThat(row).hasSameSizeAs(header);
      assertThat(row.get(header.indexOf("schema"))).isEqualTo("2");
      assertThat(row.get(header.indexOf("gc.pause")))
          .isEqualTo(row.get(header.indexOf("path")).equals("put") ? "12.5" : "");
      assertThat(Double.parseDouble(row.get(header.indexOf("latency.call.p99")))).isPositive();
    }
  }

  @Test
  void theAttemptThatDoesNotCountSaysWhy() throws Exception {
    RunFolder folder = MadeUpExperiment.runOf(1).write(runs, trial -> 1_000);
    TrialRecord trial = folder.trials().get(0);
    MadeUpRun.append(folder, MadeUpRun.again(Trials.settled(trial, false), 2));
    RunReport report = ResultFiles.write(RunFolder.find(runs, folder.path().toString()));
    List<String> lines = Files.readAllLines(folder.file("results.csv"));
    List<String> header = cells(lines.get(0));
    List<List<String>> attempts =
        IntStream.range(1, lines.size())
            .mapToObj(i -> cells(lines.get(i)))
            .filter(row -> row.get(header.indexOf("trial")).equals(trial.id()))
            .toList();
    assertThat(attempts).hasSize(2);
    assertThat(attempts.get(0).get(header.indexOf("counts"))).isEqualTo("true");
    assertThat(attempts.get(0).get(header.indexOf("whyNot"))).isEmpty();
    assertThat(attempts.get(1).get(header.indexOf("attempt"))).isEqualTo("2");
    assertThat(attempts.get(1).get(header.indexOf("counts"))).isEqualTo("false");
    assertThat(attempts.get(1).get(header.indexOf("whyNot"))).isEqualTo("did not settle");
    assertThat(Files.readString(report.html())).contains("no: did not settle");
  }
}
