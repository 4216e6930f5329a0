package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The treatment that ratios are to, where none has the plainest path. */
class BaselineTest {
  @TempDir Path runs;

  private Ranking of(String driver, String paths, String rate, String slowest) {
    String file =
        """
        pyrometer: 1
        name: baseline
        question: Which?
        grid: {driver: %s}
        workload: {record: stock-order, records: 1000%s}
        factors: {path: [%s]}
        blocks: 3
        """
            .formatted(driver, rate, paths);
    return ranking(file, slowest);
  }

  /**
   * @param slowest a level with half the throughput of the others
   */
  private Ranking ranking(String file, String slowest) {
    return Rankings.of(
            RunRecord.load(
                MadeUpRun.of(Fixture.read(file), Fixture.CATALOGUE)
                    .noise(0)
                    .write(runs, t -> t.levels().containsValue(slowest) ? 500 : 1_000)))
        .get(0);
  }

  @Test
  void itIsTheFirstOfThoseThatClaimTheMostGuarantees() {
    String paths = "put-all, put-async, put-all-async";
    assertThat(of("rich", paths, "", "put-all-async").baseline()).isEqualTo("put-all");
    assertThat(of("rich", paths, ", rate: 100", "put-async").baseline()).isEqualTo("put-all");
  }

  @Test
  void aFirstPathThatClaimsLessIsPassedOver() {
    assertThat(of("plain", "store, put-again", "", "store").baseline()).isEqualTo("put-again");
  }

  @Test
  void ofOnePathItIsTheFirstSettingThatGuaranteesTheMost() {
    String file =
        """
        pyrometer: 1
        name: baseline
        question: Which?
        grid: {driver: rich, nodes: 3}
        workload: {record: stock-order, records: 1000, path: put}
        factors:
          backups: {role: choice, levels: [0, 1, 2]}
        blocks: 3
        """;
    Ranking ranking = ranking(file, "");
    assertThat(ranking.baseline()).isEqualTo("backups 1");
    assertThat(ranking.rows()).filteredOn(Ranking.Row::isBaseline).hasSize(1);
  }

  @Test
  void ofSeveralProductsItIsThatOfTheFirstWhateverItsPath() {
    String file =
        """
        pyrometer: 1
        name: baseline
        question: Which?
        grid: {nodes: 3}
        workload: {record: stock-order, records: 1000}
        factors:
          product:
            - {label: today, set: {driver: rich, path: put-all}}
            - {label: other, set: {driver: plain, path: put}}
        blocks: 3
        """;
    Ranking ranking = ranking(file, "");
    assertThat(ranking.baseline()).isEqualTo("today");
  }
}
