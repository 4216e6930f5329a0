package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A workload that a stock cluster records is repeated by the experiment that is made of the files,
 * and both are printed side by side.
 */
@Tag("extended")
class StatisticsRoundTripIT {
  private static final String WORKLOAD =
      """
      pyrometer: 1
      name: recorded
      question: What does each operation take?
      grid: {driver: ignite, attach: "%s", agent-jvm-args: -XX:TieredStopAtLevel=1}
      workload:
        record: stock-order
        records: 20000
        %s
        rate: %d
        arrival: poisson
        common-warm-up: 5s
        warm-up: 3s
        measure: 60s
      blocks: 1
      probes: []
      """;

  private static final Pattern RECORDED =
      Pattern.compile("Recorded: (\\S+) ([\\d.,]+( k)?) calls/s, p50 (.+), p99 (.+)\\.");

  @TempDir Path folder;

  @Test
  void theMixAndTheRateOfMixedOperationsComeBack() throws Exception {
    String sample =
        repeat(
            "path: mixed\n  mix: {get: 70%, put: 20%, get-all: 5%, remove: 5%}\n  batch: 100", 400);
    assertThat(number(sample, "rate: ([\\d.]+)")).isCloseTo(400, withinPercentage(10));
    assertThat(number(sample, "get: ([\\d.]+)%")).isCloseTo(70, within(4.0));
    assertThat(number(sample, "put: ([\\d.]+)%")).isCloseTo(20, within(4.0));
    assertThat(number(sample, "get-all: ([\\d.]+)%")).isCloseTo(5, within(2.0));
    assertThat(number(sample, "remove: ([\\d.]+)%")).isCloseTo(5, within(2.0));
  }

  @Test
  void theRateOfTransfersComesBack() throws Exception {
    String sample = repeat("path: transfer\n  atomicity: TRANSACTIONAL", 100);
    assertThat(sample).contains("path: transfer");
    assertThat(number(sample, "rate: ([\\d.]+)")).isCloseTo(100, withinPercentage(20));
  }

  private static double number(String text, String pattern) {
    return Pattern.compile("[ {]" + pattern)
        .matcher(text)
        .results()
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the experiment that is made of the files. */
  private String repeat(String workload, int rate) throws Exception {
    Pyrometer runner = new Pyrometer(Files.createDirectories(folder.resolve("run")));
    Pyrometer observer = new Pyrometer(Files.createDirectories(folder.resolve("doctor")));
    try (TheirCluster theirs = TheirCluster.start(folder, 2, 256 << 20, "512m", false)) {
      assertNeedsYes(observer, theirs);
      Files.writeString(
          folder.resolve("run/recorded.yaml"), WORKLOAD.formatted(theirs.address, workload, rate));
      Process run = runner.start("run", "recorded.yaml", "--yes");
      Pyrometer.await(
          "its cache",
          () -> theirs.started().stream().anyMatch(name -> name.startsWith("pyrometer-")));
      TimeUnit.SECONDS.sleep(10);
      Ended doctor =
          observer.run("doctor", theirs.address, "--statistics", "10s", "--yes", "--out", "runs");
      assertThat(doctor.err()).as(runner.text("out.txt") + runner.text("err.txt")).isEmpty();
      assertThat(doctor.out().lines())
          .hasSizeLessThanOrEqualTo(40)
          .allMatch(l -> l.length() <= 100);
      System.out.println(doctor.out());
      assertThat(runner.end(run).err()).isEmpty();
    }
    Ended sample = observer.run("sample", "--statistics", observer.runFolder().toString());
    assertThat(sample.err()).isEmpty();
    System.out.println(sample.out());
    Pyrometer again = new Pyrometer(Files.createDirectories(folder.resolve("again")));
    Files.writeString(folder.resolve("again/like.yaml"), sample.out());
    assertThat(again.run("validate", "like.yaml").err()).isEmpty();
    Ended repeated = again.run("run", "like.yaml", "--quick");
    assertThat(repeated.err()).isEmpty();
    TrialRecord first = trial(runner);
    TrialRecord second = trial(again);
    print(sample.out(), first, second);
    return sample.out();
  }

  private static void assertNeedsYes(Pyrometer observer, TheirCluster theirs) throws Exception {
    Ended refused = observer.run("doctor", theirs.address, "--statistics", "10s");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("--yes").hasLineCount(1);
  }

  private static TrialRecord trial(Pyrometer of) throws IOException {
    return new RunFolder(of.runFolder()).trials().get(0);
  }

  private static void print(String file, TrialRecord first, TrialRecord second) {
    Map<String, MatchResult> recorded = new TreeMap<>();
    RECORDED.matcher(file).results().forEach(found -> recorded.put(found.group(1), found));
    System.out.printf("records/s: run %s, again %s%n", first.throughput(), second.throughput());
    System.out.println(
        "operation: p50 of the run, recorded, again; p99 of the run, recorded, again");
    recorded.forEach(
        (operation, found) ->
            System.out.printf(
                "%-10s %s, %s, %s; %s, %s, %s%n",
                operation,
                micros(first, operation, "p50"),
                found.group(4),
                micros(second, operation, "p50"),
                micros(first, operation, "p99"),
                found.group(5),
                micros(second, operation, "p99")));
  }

  private static String micros(TrialRecord trial, String operation, String percentile) {
    return trial.value("latency.%s.%s".formatted(operation, percentile)).stream()
        .map("%.0f µs"::formatted)
        .findFirst()
        .orElse("–");
  }
}
