package io.pyrometer.analysis.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredGridTest {
  private static final String HEADER =
      "schema,trial,block,attempt,job,batch,client,outcome,counts,cpu-per-record,throughput";

  @TempDir private Path folder;

  /** Two blocks that differ by 2 %, a cell that failed, and an attempt that was repeated. */
  private Map<String, MeasuredGrid> grids() throws IOException {
    return grids("throughput");
  }

  private Map<String, MeasuredGrid> grids(String figure) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(HEADER);
    for (int block = 1; block <= 2; block++) {
      for (int batch : new int[] {1000, 10, 100, 20}) {
        for (String client : List.of("thin", "thick")) {
          String throughput = "" + (batch + (client.equals("thick") ? 100 : 0)) * (98 + 2 * block);
          lines.add(row(block, batch, client, "true", throughput));
        }
      }
    }
    lines.add(row(1, 10, "thin", "false", "99999999"));
    lines.add(row(1, 10, "thin", "true", ""));
    Path csv = folder.resolve("results.csv");
    Files.write(csv, lines);
    return MeasuredGrid.read(csv, figure);
  }

  private static String row(int block, int batch, String client, String counts, String throughput) {
    String cpu = throughput.isEmpty() ? "" : "" + 1e6 / Double.parseDouble(throughput);
    return "2,id,%d,1,WRITE,%d,%s,VALID,%s,%s,%s"
        .formatted(block, batch, client, counts, cpu, throughput);
  }

  @Test
  void theTruthOfACellIsTheMeanOfItsBlocksAndAMeasurementIsOneOfThem() throws IOException {
    MeasuredGrid grid = grids().get("WRITE");
    assertThat(grid.cells()).hasSize(8);
    List<Integer> best = List.of(3, 0);
    assertThat(grid.best()).isEqualTo(grid.at(best));
    assertThat(Math.exp(grid.best())).isCloseTo(1100 * 100 * Math.sqrt(1.02), within(1e-6));
    assertThat(Math.exp(grid.measure(best, 0)))
        .satisfiesAnyOf(
            seen -> assertThat(seen).isCloseTo(110_000, within(1e-6)),
            seen -> assertThat(seen).isCloseTo(112_200, within(1e-6)));
    assertThat(grid.noise()).isCloseTo(Math.log(1.02) / Math.sqrt(2), within(1e-9));
    assertThat(grid.measure(List.of(0, 1), 0)).isNaN();
  }

  @Test
  void aSearchThatIsReplayedFindsTheBestCell() throws IOException {
    MeasuredGrid grid = grids().get("WRITE").from(new Random(1));
    SimulatedSearch search = SimulatedSearch.of(grid, 64, 1);
    assertThat(search.regret()).isCloseTo(0, within(1e-9));
    assertThat(search.trials()).isLessThanOrEqualTo(64);
  }

  @Test
  void everyMeasurementOfATableGivesTheMeanOfTheCell() throws IOException {
    MeasuredGrid grid = grids().get("WRITE");
    MeasuredGrid table = grid.table();
    assertThat(table.noise()).isZero();
    assertThat(table.best()).isEqualTo(grid.best());
    assertThat(table.measure(List.of(3, 0), 0)).isEqualTo(grid.at(List.of(3, 0)));
    assertThat(table.measure(List.of(0, 1), 0)).isNaN();
  }

  @Test
  void aSearchThatRepeatsCellsCountsEachOnce() throws IOException {
    MeasuredGrid table = grids().get("WRITE").table().from(new Random(1));
    SimulatedSearch search = SimulatedSearch.of(table, 64, 1);
    assertThat(search.cells()).isLessThanOrEqualTo(8);
    assertThat(search.trials()).isGreaterThan(8);
  }

  @Test
  void ofFiguresOtherThanTheThroughputLessIsBetter() throws IOException {
    MeasuredGrid throughput = grids().get("WRITE");
    MeasuredGrid cpu = grids("cpu-per-record").get("WRITE");
    assertThat(cpu.at(List.of(3, 0))).isEqualTo(cpu.best());
    assertThat(cpu.best() - cpu.at(List.of(0, 0)))
        .isCloseTo(throughput.best() - throughput.at(List.of(0, 0)), within(1e-9));
  }
}
