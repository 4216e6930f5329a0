package io.pyrometer.results.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.report.Section;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.RunComparison.Side;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlameComparisonTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: flames
      question: Where does the time go?
      grid: {driver: rich, nodes: 2}
      workload: {record: stock-order, records: 1000, measure: 5s}
      factors: {path: [put, put-async]}
      blocks: 2
      """;

  @TempDir Path folder;

  /** Each of two nodes is seen with the same stacks, in each trial. */
  private RunRecord run(String name, String stacks) {
    RunFolder written =
        MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE)
            .write(folder.resolve(name), trial -> 1_000);
    return MadeUpRun.changed(
        written,
        trial -> {
          List<Artefact> artefacts = new ArrayList<>();
          for (String node : List.of("node-0", "node-1")) {
            if (!stacks.isEmpty()) {
              String file = "trials/%s/%s-cpu.collapsed".formatted(trial.id(), node);
              artefacts.add(new Artefact("collapsed-stacks", node, file));
              put(written.file(file), stacks);
            }
          }
          return MadeUpRun.with(trial, artefacts);
        });
  }

  private static void put(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private Optional<Section> compared(RunRecord a, RunRecord b) {
    return FlameComparison.write(
        RunComparison.of(
            List.of(Side.of(List.of(a)), Side.of(List.of(b))),
            Margins.given(Optional.of(0.03), Map.of()),
            JudgedMetrics.USUAL,
            true),
        folder.resolve("compared/page.html"));
  }

  @Test
  void theDifferenceOfTheVersionsIsDrawn() throws IOException {
    Section section =
        compared(run("a", "main;put;old 30\n"), run("b", "main;put;fresh 60\n")).orElseThrow();
    List<List<String>> rows = section.figures().get(0).table().rows();
    assertThat(rows).hasSize(2).allMatch(row -> row.get(1).equals("nodes cpu"));
    String difference = Files.readString(folder.resolve("compared").resolve(rows.get(0).get(2)));
    assertThat(difference).contains("fresh").doesNotContain("const maxdiff = -1");
  }

  @Test
  void theTreatmentsOfARunAreComparedWithEachOther() throws IOException {
    Path page = folder.resolve("compared/report.html");
    Section section = FlameComparison.write(run("a", "main;put;old 30\n"), page).orElseThrow();
    List<List<String>> rows = section.figures().get(0).table().rows();
    assertThat(rows)
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.subList(0, 2)).containsExactly("A: put, B: put-async", "nodes cpu");
              assertThat(Files.readString(page.resolveSibling(row.get(2)))).contains("old");
            });
    assertThat(FlameComparison.write(run("b", ""), page)).isEmpty();
  }

  @Test
  void aVersionThatWasNotProfiledHasNothingBesideIt() {
    assertThat(compared(run("a", "main;put 30\n"), run("b", ""))).isEmpty();
    assertThat(folder.resolve("compared")).doesNotExist();
  }
}
