package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.protocol.message.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

final class WritersTest {
  private static final Table TABLE =
      Table.of(
          List.of("Path", "records/s"),
          1,
          List.of(
              List.of("put-all in batches of ten thousand records", "226 k"),
              List.of("put µ", "3,400")));

  @TempDir Path folder;

  @Test
  void aTableOfTheTerminalAlignsFiguresToTheRight() {
    assertThat(TerminalTable.render(TABLE, 100, TerminalTable.Rules.ASCII).lines().toList())
        .containsExactly(
            " Path                                       | records/s ",
            "--------------------------------------------+-----------",
            " put-all in batches of ten thousand records |     226 k ",
            " put µ                                      |     3,400 ");
  }

  @Test
  void aRowOfAnotherLengthIsRefused() {
    assertThatThrownBy(() -> Table.ofWords(List.of("a", "b"), List.of(List.of("1"))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPageSaysOnceWhyFiguresAreAbsent() throws IOException {
    Table table =
        Table.of(List.of("a", "n"), 1, List.of(List.of("x", Table.ABSENT)))
            .withAbsent("too few calls");
    assertThat(table.notes()).containsExactly("– too few calls");
    assertThat(TABLE.withAbsent("too few calls").notes()).isEmpty();
    Figure figure = Figure.of("Table", table);
    Page page =
        new Page(
            "t",
            "Why?",
            "",
            List.of(),
            List.of(
                new Section("a", "A", "", List.of(figure)),
                new Section("b", "B", "", List.of(figure, figure))),
            List.of());
    assertThat(TerminalPage.render(page, 80, TerminalTable.Rules.ASCII))
        .containsOnlyOnce("– too few calls");
    assertThat(Markdown.page(page)).containsOnlyOnce("– too few calls");
  }

  @Test
  void aNarrowTableBreaksNoWord() {
    Table table =
        Table.ofWords(
            List.of("partition-awareness", "guarantees", "marks", "records/s"),
            List.of(
                List.of(
                    "partition-awareness on",
                    "overwrites, ordered, durable",
                    "oversubscribed",
                    "1"),
                List.of("off", "durable", "not warm", "2")));
    assertThat(TerminalTable.render(table, 54, TerminalTable.Rules.UNICODE).lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(54))
        .anyMatch(line -> line.contains("│ oversubscribed │"))
        .anyMatch(line -> line.startsWith(" partition- "))
        .anyMatch(line -> line.startsWith(" awareness "));
  }

  @Test
  void aPlainTableIsCutBetweenRowsAndRepeatsNone() {
    Table table =
        Table.ofWords(
            List.of("path", "records/s", "operation", "marks"),
            List.of(
                List.of("compute over all nodes", "1 M", "a long name", "O"),
                List.of("compute over all nodes", "", "another one", ""),
                List.of("get", "2", "a long name", "")));
    List<List<String>> whole = TerminalTable.plain(table, 60);
    assertThat(whole).hasSize(4).allMatch(row -> row.size() == 1);
    assertThat(TerminalTable.plain(table, 24))
        .as("without operations the second row says nothing")
        .hasSize(3)
        .allSatisfy(row -> assertThat(row).allMatch(line -> line.length() <= 24))
        .anyMatch(row -> row.size() > 1);
  }

  @Test
  void csvQuotesWhatNeedsQuotes() throws IOException {
    Path file = folder.resolve("t.csv");
    CsvFile.write(file, List.of("a", "b"), List.of(List.of("x, \"y\"", 1.5), List.of("µ", 2)));
    assertThat(Files.readString(file)).isEqualTo("a,b\n\"x, \"\"y\"\"\",1.5\nµ,2\n");
  }

  @Test
  void markdownKeepsPipesInTheirCells() {
    Table table = Table.of(List.of("a|b", "n"), 1, List.of(List.of("<x>", "1")));
    assertThat(Markdown.table(table)).isEqualTo("| a\\|b | n |\n|---|--:|\n| &lt;x> | 1 |\n");
  }

  @Test
  void junitXmlCountsAndEscapes() throws Exception {
    Path file = folder.resolve("junit.xml");
    JUnitXml.write(
        file,
        "compare <a> & b",
        List.of(
            new JUnitXml.Case("g", "fine", JUnitXml.Outcome.PASSED, change("put", 1)),
            new JUnitXml.Case("g", "slow", JUnitXml.Outcome.FAILED, change("put \u0007", 0.88)),
            new JUnitXml.Case("g", "few", JUnitXml.Outcome.UNDECIDED, change("put", 0.9))));
    Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    assertThat(xml.getDocumentElement().getAttribute("name")).isEqualTo("compare <a> & b");
    assertThat(xml.getDocumentElement().getAttribute("failures")).isEqualTo("1");
    Element failure = (Element) xml.getElementsByTagName("failure").item(0);
    assertThat(failure.getAttribute("type")).isEqualTo("sample.change");
    assertThat(failure.getAttribute("message")).isEqualTo("put ? changes by −12 %.");
    Element property = (Element) xml.getElementsByTagName("property").item(2);
    assertThat(property.getAttribute("name")).isEqualTo("change");
    assertThat(property.getAttribute("value")).isEqualTo("1.0");
  }

  private static Finding change(String treatment, double ratio) {
    return Finding.info("sample.change")
        .with("treatment", Value.name(treatment))
        .with("change", Value.change(ratio));
  }

  @Test
  void aPageOfTheTerminalBeginsWithItsAnswer() {
    String text = TerminalPage.render(SamplePages.run(), 80, TerminalTable.Rules.ASCII);
    assertThat(text.lines().skip(3).findFirst().orElseThrow()).startsWith("* Write with put-all");
    assertThat(text).contains("! 2 of 15 trials");
  }
}
