package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.report.Figure;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbsentFiguresTest {
  @TempDir Path runs;

  private Stream<Table> tables(int blocks) {
    RunRecord run = MadeUpExperiment.runOf(blocks).load(runs, trial -> 1_000);
    return RunPage.of(RunReport.of(run)).sections().stream()
        .flatMap(section -> section.figures().stream())
        .map(Figure::table);
  }

  private static boolean hasAbsent(Table table) {
    return table.rows().stream().flatMap(List::stream).anyMatch(Table.ABSENT::equals);
  }

  @Test
  void aTableWithoutSomeFiguresSaysWhy() {
    assertThat(Stream.concat(tables(1), tables(3)).filter(AbsentFiguresTest::hasAbsent))
        .isNotEmpty()
        .allSatisfy(table -> assertThat(table.notes()).as("%s", table.header()).isNotEmpty());
  }
}
