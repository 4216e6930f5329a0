package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Variant as {@link KilledIT} with real server nodes: any process may be killed at any time. */
class KilledIgniteIT extends RunFixture {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: killed
      question: Does a run on a cluster outlive what is done to it?
      grid:
        driver: ignite
        nodes: 2
        region: 64m
        node-heap: 300m
        node-jvm-args: -XX:TieredStopAtLevel=1
        agent-heap: 256m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      workload:
        record: stock-order
        records: 2000
        batch: 100
        warm-up: 0.5s
        measure: 2s
        common-warm-up: 0s
      factors:
        path: [put, get-all]
      blocks: 1
      probes: []
      """;
  private static final long NODE_HEAP_MIB = 300;

  @BeforeEach
  void writeExperiment() throws Exception {
    write("killed.yaml", EXPERIMENT);
  }

  /** What becomes of a killed agent does not depend on the product: see {@link KilledIT}. */
  @Test
  void aServerThatIsKilledFailsItsTrialWhichIsMadeOnceMore() throws Exception {
    Process process = pyrometer.start("run", "killed.yaml");
    pyrometer.awaitSecondTrial(process);
    withHeap(Pyrometer.workers(process), NODE_HEAP_MIB).destroyForcibly();
    Ended ended = pyrometer.end(process);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(trials())
        .filteredOn(trial -> trial.outcome() == Outcome.FAILED)
        .singleElement()
        .extracting(trial -> trial.why().orElse(""))
        .asString()
        .matches("Failed during [a-z-]+: node-\\d was killed.*");
    assertEveryPathCameRight();
  }

  private static ProcessHandle withHeap(List<ProcessHandle> workers, long mib) {
    String heap = "-Xmx" + (mib << 20);
    return workers.stream()
        .filter(w -> List.of(w.info().arguments().orElse(new String[0])).contains(heap))
        .findFirst()
        .orElseThrow();
  }

  private void assertEveryPathCameRight() throws Exception {
    Set<String> right =
        trials().stream()
            .filter(trial -> trial.outcome() == Outcome.OK)
            .map(trial -> trial.settings().text("path"))
            .collect(Collectors.toSet());
    assertThat(right).containsExactlyInAnyOrder("put", "get-all");
    assertThat(pyrometer.runFolder().resolve("report.html")).isNotEmptyFile();
  }
}
