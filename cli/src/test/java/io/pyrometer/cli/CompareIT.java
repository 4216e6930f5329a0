package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** Runs compared, and followed over time, by the command as users have it. */
class CompareIT {
  @TempDir Path folder;
  private Pyrometer pyrometer = new Pyrometer(Path.of(""));

  @BeforeEach
  void start() {
    pyrometer = new Pyrometer(folder);
  }

  private String run(MadeUpRun made, double throughput) {
    RunFolder run = made.write(folder.resolve("runs"), t -> throughput * (1 + 0.1 * t.block()));
    return String.valueOf(run.path().getFileName());
  }

  private String run(int blocks, double noise, double throughput, long seed) {
    return run(MadeUpExperiment.runOf(blocks).noise(noise).seed(seed), throughput);
  }

  private static void assertSentence(Ended ended, int code, String expected) {
    assertThat(ended.err()).contains(expected).doesNotContain("\tat ", "Exception");
    assertThat(ended.code()).isEqualTo(code);
  }

  @Test
  void theSameEndsWithNought() throws Exception {
    String a = run(10, 0.01, 1000, 1);
    String b = run(10, 0.01, 1000, 2);
    Ended ended = pyrometer.run("compare", a, b);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out())
        .contains("No regression found in 8 comparisons.", "no relevant difference", "Report: ");
    assertThat(ended.code()).isZero();
    assertThat(folder.resolve("runs/compared").resolve(a + "-and-" + b + ".html"))
        .content()
        .contains(
            "Smallest relevant difference: 3 % of throughput and CPU time, 5 % of p50, 10 % of p99, the default");
  }

  @Test
  void aRegressionEndsWithOneAndFailsInCiSystems() throws Exception {
    String a = run(5, 0.01, 1000, 1);
    String b = run(5, 0.01, 800, 2);
    Ended ended =
        pyrometer.run(
            "compare", a, b, "--delta", "5%", "--junit", "out/j.xml", "--markdown", "out/m.md");
    assertThat(ended.out()).contains("Regression: put in B (throughput, CPU time per record, ");
    assertThat(ended.code()).isEqualTo(1);
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(folder.resolve("out/j.xml").toFile())
            .getDocumentElement();
    assertThat(suite.getAttribute("tests")).isEqualTo("8");
    assertThat(suite.getAttribute("failures")).isEqualTo("8");
    assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(8);
    assertThat(Files.readString(folder.resolve("out/m.md")))
        .contains("- **Regression: put in B (", "| put | B |", "worse");
  }

  @Test
  void aRegressionOfP99AloneEndsWithOneAndAMarginMayAllowIt() throws Exception {
    String a = run(MadeUpExperiment.runOf(10).seed(1), 1000);
    String b =
        run(
            MadeUpExperiment.runOf(10)
                .seed(2)
                .metrics(
                    (trial, metrics) -> {
                      Metric p99 = metrics.get("latency.call.p99");
                      metrics.put(
                          "latency.call.p99", Metric.lowerIsBetter(1.3 * p99.value(), "µs"));
                    }),
            1000);
    Ended ended = pyrometer.run("compare", a, b);
    assertThat(ended.out()).contains("Regression: put in B (p99 latency of call); put-all in B");
    assertThat(ended.code()).isEqualTo(1);
    Ended allowed =
        pyrometer.run("compare", a, b, "--delta", "5%", "--delta", "latency.call.p99=50%");
    assertThat(allowed.out()).contains("No regression found");
    assertThat(allowed.code()).isZero();
    assertSentence(
        pyrometer.run("compare", a, b, "--metric", "gc.paus"), 3, "No run has a metric 'gc.paus'");
  }

  @Test
  void fewNoisyRunsEndWithTwo() throws Exception {
    Ended ended = pyrometer.run("compare", run(3, 0.06, 1000, 1), run(3, 0.06, 1000, 2));
    assertThat(ended.out()).contains("Not enough runs", "--blocks");
    assertThat(ended.code()).isEqualTo(2);
  }

  @Test
  void whatCannotBeComparedEndsWithThree() throws Exception {
    String a = run(3, 0.01, 1000, 1);
    String other = run(MadeUpExperiment.runOf(3).on("Other CPU"), 1000);
    assertSentence(
        pyrometer.run("compare", a, other),
        3,
        "A and B were made in unlike environments: CPU (Test CPU and Other CPU)");
    Ended anyway = pyrometer.run("compare", a, other, "--anyway");
    assertThat(anyway.out().replaceAll("\\s+", " ")).contains("compared nevertheless (--anyway)");
    assertThat(anyway.code()).isBetween(0, 2);
    assertSentence(pyrometer.run("compare", a, "nowhere"), 3, "There is no run 'nowhere'");
    assertSentence(pyrometer.run("compare", a), 3, "");
    assertSentence(
        pyrometer.run("compare", a, a, "--delta", "much"), 3, "--delta takes a share between");
  }

  @Test
  void aHistoryTellsWhenThingsChanged() throws Exception {
    for (int day = 10; day < 22; day++) {
      run(
          MadeUpExperiment.runOf(3).begun("2026-11-%dT08:00:00Z".formatted(day)).seed(day),
          day < 16 ? 1000 : 800);
    }
    Ended ended = pyrometer.run("history", "made-up");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).contains("From 20261116-080000 on the throughput of put is −");
    assertThat(ended.code()).isZero();
    assertThat(folder.resolve("runs/history/made-up.html")).isNotEmptyFile();
    assertSentence(pyrometer.run("history", "none"), 2, "There is no run of 'none'");
  }

  @Test
  void aMachineIsCalibratedAndTheRunIsKept() throws Exception {
    Ended ended =
        pyrometer.run(
            "calibrate",
            "--driver",
            "null",
            "--blocks",
            "3",
            "--set",
            "measure=0.3s",
            "--set",
            "warm-up=0.2s",
            "--set",
            "common-warm-up=0.2s",
            "--set",
            "agent-heap=128m",
            "--set",
            "records=2000");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out())
        .contains("hroughput: in an A/A test a run varies by", "A gate with a margin of 3 % takes");
    assertThat(ended.code()).isZero();
    assertThat(pyrometer.runFolder().resolve("calibration.html")).isNotEmptyFile();
    Ended again = pyrometer.run("calibrate", "--driver", "nul");
    assertSentence(again, 2, "unknown driver 'nul'");
  }
}
