package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpExperiment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbsentFiguresTest {
  @TempDir Path runs;

  private List<Table> tables(int blocks, boolean withHistograms) throws Exception {
    RunFolder folder = MadeUpExperiment.runOf(blocks).write(runs, trial -> 1_000);
    if (!withHistograms) {
      try (Stream<Path> files = Files.walk(folder.path().resolve("trials"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".hlog")).toList()) {
          Files.delete(file);
        }
      }
    }
    return RunPage.of(ResultFiles.write(folder)).sections().stream()
        .flatMap(section -> section.figures().stream())
        .map(Figure::table)
        .toList();
  }

  private static boolean hasAbsent(Table table) {
    return table.rows().stream().flatMap(List::stream).anyMatch(Table.ABSENT::equals);
  }

  @Test
  void aTableWithoutSomeFiguresSaysWhy() throws Exception {
    List<Table> tables =
        Stream.of(tables(1, true), tables(3, false)).flatMap(List::stream).toList();
    assertThat(tables).anyMatch(AbsentFiguresTest::hasAbsent);
    assertThat(tables.stream().filter(AbsentFiguresTest::hasAbsent))
        .allSatisfy(table -> assertThat(table.notes()).as("%s", table.header()).isNotEmpty());
  }
}
