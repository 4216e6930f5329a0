package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.WorkloadSample;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of performance statistics with known contents. */
class PerformanceStatisticsTest {
  private static final int CACHE = 7;

  @TempDir Path folder;

  private StatisticsFile file(int node) {
    return new StatisticsFile(node, 4 << 20).cache(CACHE, "orders");
  }

  private List<String> found() {
    return Doctor.examineStatistics(folder).diagnoses().stream().map(Diagnosis::id).toList();
  }

  @Test
  void callsAreCountedWithTheirTimes() throws IOException {
    file(1).calls(OperationType.CACHE_GET_ALL, CACHE, 1_000, 10, 2).write(folder);
    HealthReport report = Doctor.examineStatistics(folder);
    assertThat(report.diagnoses()).isEmpty();
    assertThat(report.tables()).hasSize(1);
    assertThat(report.tables().get(0).rows().get(0))
        .extracting(value -> value.text())
        .startsWith("orders", "get-all", "100", "2.01 ms", "2.01 ms", "100 %");
  }

  @Test
  void findingsAreOrderedBySeverityThenTime() throws IOException {
    StatisticsFile file =
        file(1)
            .calls(OperationType.CACHE_GET, CACHE, 4_000, 10, 2)
            .throttled(2_000)
            .transaction(CACHE, 20, true)
            .transaction(CACHE, 20, false);
    for (int begin = 0; begin < 10_000; begin += 2_500) {
      file.checkpoint(begin, 2_400);
    }
    file.write(folder);
    assertThat(found())
        .containsExactly(
            "doctor.checkpoints-without-pause",
            "doctor.checkpoint-buffer.throttled",
            "doctor.rolled-back-transactions",
            "doctor.single-gets");
  }

  /** Ignite 2.17 records the uptime as the duration of those that began before the recording. */
  @Test
  void onlyTransactionsThatCanHaveEndedAreLong() throws IOException {
    file(1)
        .calls(OperationType.CACHE_GET_ALL, CACHE, 100, 60, 1)
        .transaction(CACHE, 1e9, true)
        .write(folder);
    assertThat(found()).isEmpty();
    file(1)
        .calls(OperationType.CACHE_GET_ALL, CACHE, 100, 60, 1)
        .transaction(CACHE, 30_000, true)
        .write(folder);
    assertThat(found()).containsExactly("doctor.long-transactions.recorded");
  }

  @Test
  void aScanWithoutATimeIsCounted() throws IOException {
    file(1).scan("orders", 500).calls(OperationType.CACHE_GET_ALL, CACHE, 100, 10, 2).write(folder);
    HealthReport report = Doctor.examineStatistics(folder);
    assertThat(report.tables().get(1).rows().get(0))
        .extracting(value -> value.text())
        .startsWith("orders", "0.101", "501 ms", "71.4 %");
  }

  @Test
  void aFileThatIsCutOffIsReadUpToItsEnd() throws IOException {
    StatisticsFile whole = file(1).calls(OperationType.CACHE_GET_ALL, CACHE, 100, 10, 1);
    Path plain = whole.write(folder, whole.bytes() - 5);
    HealthReport report = Doctor.examineStatistics(folder);
    assertThat(report.unjudged()).containsKey("statistics-files");
    assertThat(report.tables()).hasSize(1);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(plain + ".gz")))) {
      long unused = Files.copy(plain, out);
    }
    Files.delete(plain);
    assertThat(Doctor.examineStatistics(folder).tables()).isEqualTo(report.tables());
  }

  /**
   * Threads that execute their first statements at once write the text of an action in any order.
   */
  @Test
  void aTextIsKnownBeforeTheRecordThatSpellsIt() throws IOException {
    file(1)
        .queries("SELECT price FROM item", 2, 10, 1)
        .rows(0, 3, false)
        .rows(1, 5, true)
        .write(folder);
    HealthReport report = Doctor.examineStatistics(folder);
    assertThat(report.unjudged()).doesNotContainKey("statistics-files");
    assertThat(report.tables().get(0).rows().get(0))
        .extracting(value -> value.text())
        .startsWith("SELECT price FROM item", "0.4")
        .contains("4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-%s.prf", "node-%s.prf.gz", "renamed.prf"})
  void aForeignFileIsOneSentence(String name) throws IOException {
    file(1).calls(OperationType.CACHE_GET_ALL, CACHE, 100, 10, 1).write(folder);
    Files.writeString(
        folder.resolve(name.formatted(new StatisticsFile(2, 1).node)), "A text, which is none.");
    assertThatThrownBy(() -> Doctor.examineStatistics(folder))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("is no file of Ignite's performance statistics");
  }

  @Test
  void theWorkloadHasTheMixAndTheRate() throws IOException {
    file(1)
        .calls(OperationType.CACHE_GET, CACHE, 3_000, 10, 1)
        .calls(OperationType.CACHE_PUT, CACHE, 1_000, 10, 1)
        .write(folder);
    WorkloadSample sample = StatisticsWorkload.of(folder, 100_000);
    assertThat(sample.cache()).isEqualTo("orders");
    assertThat(sample.workload())
        .containsEntry("path", "mixed")
        .containsEntry("mix", Map.of("get", "75.0%", "put", "25.0%"))
        .containsEntry("rate", 400L)
        .doesNotContainKey("stages");
  }

  @Test
  void queriesAreTheWorkloadOrACaseOfTheirOwn() throws IOException {
    StatisticsFile file = file(1).queries("SELECT A FROM T WHERE ID = ?", 100, 10, 1);
    file.write(folder);
    WorkloadSample alone = StatisticsWorkload.of(folder, 1_000);
    assertThat(alone.cache()).isEqualTo("T");
    assertThat(alone.workload()).containsEntry("path", "sql-select").containsEntry("rate", 10L);
    assertThat(alone.cases()).isEmpty();
    file.calls(OperationType.CACHE_PUT, CACHE, 1_000, 10, 1).write(folder);
    WorkloadSample both = StatisticsWorkload.of(folder, 1_000);
    assertThat(both.cases().get("queries")).containsEntry("path", "sql-select");
    assertThat(both.cases().get("operations")).containsEntry("path", "put");
    assertThat(both.record()).isEqualTo(alone.record());
  }

  @Test
  void nodesThatReadOnlyForOthersAndIdleNodesAreServers() throws IOException {
    StatisticsFile client = file(1).calls(OperationType.CACHE_PUT, CACHE, 100, 10, 1);
    client.write(folder);
    file(2).reads(client.node, 5).write(folder);
    file(3).write(folder);
    assertThat(StatisticsWorkload.of(folder, 1_000).grid()).containsEntry("nodes", 2);
  }

  /** Two calls are in flight in the mean; more than nine at once are one moment of 20,000. */
  @Test
  void callsHardlyWaitForAThread() throws IOException {
    file(1).calls(OperationType.CACHE_PUT, CACHE, 2_000, 10, 10).write(folder);
    assertThat(StatisticsWorkload.of(folder, 1_000).workload()).containsEntry("threads", 9L);
  }

  @Test
  void readingAllRecordsHasNoDistributionOfKeys() throws IOException {
    file(1).calls(OperationType.CACHE_GET_ALL, CACHE, 1_000, 10, 1).write(folder);
    assertThat(StatisticsWorkload.of(folder, 1_000).workload())
        .containsEntry("path", "get-all")
        .doesNotContainKey("keys");
  }

  @Test
  void aRateThatChangesIsStages() throws IOException {
    file(1)
        .calls(OperationType.CACHE_PUT, CACHE, 1_000, 60, 1)
        .calls(OperationType.CACHE_PUT, CACHE, 3_000, 30, 1)
        .write(folder);
    assertThat(StatisticsWorkload.of(folder, 100_000).workload())
        .containsEntry("path", "put")
        .containsKey("stages")
        .doesNotContainKey("rate");
  }
}
