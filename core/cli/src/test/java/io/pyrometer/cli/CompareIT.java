package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** Runs compared, and followed over time. */
class CompareIT extends RunFixture {

  private String run(MadeUpRun made, double throughput) {
    RunFolder run = made.write(folder.resolve("runs"), t -> throughput * (1 + 0.1 * t.block()));
    return String.valueOf(run.path().getFileName());
  }

  private String run(int blocks, double noise, double throughput, long seed) {
    return run(MadeUpExperiment.runOf(blocks).noise(noise).seed(seed), throughput);
  }

  /** Executes a command that reads runs and starts no process. */
  private Ended command(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--out", folder.resolve("runs").toString()));
    return Pyrometer.execute(all.toArray(String[]::new));
  }

  private static void assertSentence(Ended ended, int code, String expected) {
    assertThat(ended.err()).contains(expected).doesNotContain("\tat ", "Exception");
    assertThat(ended.code()).isEqualTo(code);
  }

  @Test
  void anInterleavedRunIsJudgedAgainFromItsFolderAndAMarginMayAllowALoss() throws Exception {
    RunFolder run =
        MadeUpExperiment.interleaved(12)
            .metrics(
                (trial, metrics) -> {
                  boolean slower = "B".equals(trial.levels().get(InterleavedPlan.FACTOR));
                  Metric p99 = metrics.get("latency.call.p99");
                  metrics.put(
                      "latency.call.p99",
                      Metric.lowerIsBetter((slower ? 1.3 : 1) * p99.value(), "µs"));
                })
            .write(folder.resolve("runs"), t -> 1000.0 * (1 + t.block()));
    String name = String.valueOf(run.path().getFileName());
    Ended ended =
        command(
            "compare",
            name,
            "--junit",
            folder.resolve("out/j.xml").toString(),
            "--markdown",
            folder.resolve("out/m.md").toString());
    assertThat(ended.out()).contains("Regression: ", "2 of 8");
    assertThat(ended.code()).isEqualTo(1);
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(folder.resolve("out/j.xml").toFile())
            .getDocumentElement();
    assertThat(suite.getAttribute("tests")).isEqualTo("8");
    assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(2);
    assertThat(Files.readString(folder.resolve("out/m.md"))).contains("| put |", "| regression |");
    Ended allowed = command("compare", name, "--delta", "latency.call.p99=50%");
    assertThat(allowed.out()).contains("8 comparisons");
    assertThat(allowed.code()).isZero();
    Path junit = folder.resolve("only.xml");
    Ended one = command("compare", name, "--only", "throughput", "--junit", junit.toString());
    assertThat(one.out()).contains("2 comparisons").doesNotContain("p99 latency");
    assertThat(one.code()).isZero();
    assertThat(junit).content().contains("errors=\"0\" failures=\"0\"", "tests=\"2\"");
    assertSentence(command("compare", name, run(3, 0.01, 1000, 1)), 2, name);
  }

  @Test
  void twoRunsAreShownSideBySideWithoutAVerdict() throws Exception {
    String a = run(8, 0.01, 1000, 1);
    String b = run(8, 0.01, 600, 2);
    Ended ended = command("compare", a, b);
    assertThat(ended.out()).contains("No verdict", "change in B").doesNotContain("regression");
    assertThat(ended.code()).isZero();
  }

  @Test
  void twoVersionsAreMeasuredInAllPlannedBlocksAndJudgedOnce() throws Exception {
    write(
        "a.yaml",
        """
        pyrometer: 1
        name: null-grid
        question: Is it slower?
        grid: {driver: "null"}
        workload:
          record: stock-order
          records: 2000
          path: put
          warm-up: 0s
          measure: 0.2s
          common-warm-up: 0s
          agent-heap: 128m
          agent-jvm-args: -XX:TieredStopAtLevel=1
        probes: []
        """);
    Ended slower =
        pyrometer.run(
            "compare",
            "--interleave",
            "a.yaml",
            "--set-a",
            "rate=4000",
            "--set-b",
            "rate=100",
            "--blocks",
            "3");
    assertThat(slower.err()).isEmpty();
    assertThat(slower.out()).contains("Regression: ", "throughput");
    assertThat(slower.code()).isEqualTo(1);
    RunFolder run = new RunFolder(pyrometer.runFolder());
    assertThat(run.trials()).extracting(TrialRecord::block).contains(0, 1, 2);
    assertThat(run.file("comparison.html")).isNotEmptyFile();
    assertThat(run.file("report.html")).isNotEmptyFile();
  }

  @Test
  void aHistoryIsATableAChartAndACsv() throws Exception {
    for (int day = 10; day < 22; day++) {
      run(
          MadeUpExperiment.runOf(3).begun("2026-11-%dT08:00:00Z".formatted(day)).seed(day),
          day < 16 ? 1000 : 800);
    }
    Ended ended = command("history", "made-up");
    assertThat(ended.out()).contains("newest", "made-up.csv");
    assertThat(folder.resolve("runs/history/made-up.csv")).isNotEmptyFile();
    assertThat(folder.resolve("runs/history/made-up.html")).isNotEmptyFile();
    assertSentence(command("history", "none"), 2, "'none'");
  }
}
