package io.pyrometer.results.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.study.StudyRequest.Rows;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as people have them: each gives the right answer, or one sentence that says what to do. */
final class HostileFilesTest {
  @TempDir Path folder;

  private String study(byte[] csv, boolean numeric, ResponseScale scale, String... columns)
      throws IOException {
    Path file = folder.resolve("figures.csv");
    Files.write(file, csv);
    return study(file, numeric, scale, "", columns);
  }

  private String against(String csv) throws IOException {
    return study(bytes(csv), true, ResponseScale.LN, "n");
  }

  private String factors(String csv, String... columns) throws IOException {
    return study(bytes(csv), false, ResponseScale.LN, columns);
  }

  private static String study(
      Path file, boolean numeric, ResponseScale scale, String replicate, String... columns) {
    return Markdown.page(
        Studies.of(
            file, "y", numeric, Rows.MEAN, scale, "", replicate, List.of(), List.of(columns)));
  }

  /** A slash is a new line, R a carriage return, B a byte order mark. */
  private static byte[] bytes(String csv) {
    return csv.replace('/', '\n')
        .replace('R', '\r')
        .replace('B', '\uFEFF')
        .getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Bn,y/1,100/2,180/3,245/4,300/5,340/6,370/8,400",
        "B\"n\",\"y\"/\"1\",100/2,\"180\"/3,245/4,300/5,340/6,370/8,400",
        "n,yR/1,100R/2,180R/3,245R/4,300R/5,340R/6,370R/8,400R",
        "n,yR1,100R2,180R3,245R4,300R5,340R6,370R8,400",
        "//n , y//  1, 100/2 ,180/3,245//4,300/5,340/6,370/8,4e2///",
        "x,n,,y/a,1,,100/,2,,180/b,3,,245/,4,c,300/,5,,340/,6,,370/,8,,400",
      })
  void readsTheSameFiguresHoweverTheyAreWritten(String csv) throws IOException {
    assertThat(against(csv))
        .contains("Throughput grows from 100 at 1 n to 400 at 8 (4×)", "κ may be up to 0.0101");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/|figures.csv needs a line of column names and rows below it.",
        "n,y|figures.csv needs a line of column names and rows below it.",
        "n,y/1,100|The scalability law needs at least 4 points at 3 different numbers of n,",
        "1,100/2,180|figures.csv has no column y; its columns are 1, 100.",
        "n,Y/1,2|figures.csv has no column y; did you mean Y.",
        "n,y,y/1,2,3|figures.csv:1: two columns are named y; rename one.",
        "n;y/1;10,5/2;3|figures.csv has no column y; separate its columns by commas.",
        "n,y/1,10,5/2,3|figures.csv:2: cells: 3, columns: 2; correct that line,",
        "n,y/1/2,3|figures.csv:2: cells: 1, columns: 2; correct that line,",
        "n,y/1,\"100/2,180|figures.csv cannot be read as comma-separated values; save it",
        "n,y/1,100/2,/3,4|figures.csv:3: the cell of y is empty; fill it in or remove the row.",
        "n,block,y/1,,100/2,1,3|figures.csv:2: the cell of block is empty; fill it in or",
        "n,y/1,NaN/2,3|figures.csv:2: y is 'NaN', which is no number or too",
        "n,y/one,5/2,10|figures.csv:2: n is 'one', which is no number or too",
        "n,y/1,1e999/2,3|figures.csv:2: y is '1e999', which is no number or too large",
        "n,y/1,10/2,-5/3,4|figures.csv:3: y is -5, which has no logarithm; correct it,",
        "n,y/0,5/2,10/3,14/4,18|A throughput of 5.0 at N = 0.0 cannot be fitted, both must",
        "n,y/1,5/2,5/3,5/4,5|The throughput is the same to the last digit for every number",
        "a,y/1,5|Factor a needs at least two different levels but has [1]; vary it or leave",
        "a,y/1,5/1,5/2,5/2,5|y is the same to the last digit in every row, so nothing can",
        "b,y/1,5/2,6|figures.csv has no column a; its columns are b, y.",
        "a,y/1,987/1,1.234/2,2.345/2,876|figures.csv: y is 2.345 in one row and 876 in another",
      })
  void saysInOneSentenceWhatCannotBeAnalysed(String csv, String sentence) {
    assertThatThrownBy(
            () -> {
              if (csv.matches("(a|b),.*")) {
                factors(csv, "a");
              } else {
                against(csv);
              }
            })
        .isInstanceOf(BadDataException.class)
        .hasMessageStartingWith(sentence);
  }

  @Test
  void refusesBytesThatAreNoTextAndAResponseThatIsItsOwnFactor() {
    byte[] wide = "n,y\n1,2\n".getBytes(StandardCharsets.UTF_16);
    assertThatThrownBy(() -> study(wide, true, ResponseScale.LN, "n"))
        .hasMessage("figures.csv is not UTF-8 text; save it as CSV in UTF-8.");
    assertThatThrownBy(() -> factors("a,y/1,2/2,3", "a", "y"))
        .hasMessage("y is the response and cannot explain itself; name other columns as factors.");
    Path none = folder.resolve("none.csv");
    assertThatThrownBy(() -> study(none, true, ResponseScale.LN, "", "n"))
        .hasMessage("There is no file " + none + "; check the path.");
    assertThatThrownBy(() -> study(folder, true, ResponseScale.LN, "", "n"))
        .isInstanceOf(BadDataException.class)
        .hasMessageEndingWith("cannot be read as comma-separated values; save it again as CSV.");
  }

  @Test
  void negativeFiguresAreAnalysedAsTheyAre() throws IOException {
    String csv = "a,block,y/1,1,-5/2,1,6/1,2,-7/2,2,8/1,3,-6/2,3,7";
    // R: t.test(c(6,8,7) - c(-5,-7,-6)): mean 13, 95 % from 8.03 to 17.97.
    assertThat(study(bytes(csv), false, ResponseScale.PLAIN, "a"))
        .contains("a, 2 against 1: y +13 (95 % interval +8.03 to +18)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "#[Overall percentile distribution]/#[StartTime: 14.8 (seconds), Mon]/n,y",
        "#logging stats for session x/#[Histogram log format version 1.0]/#n,y",
      })
  void commentsOfHdrHistogramAndNoSqlBenchAreNoHeader(String header) throws IOException {
    String csv = header + "/1,100/2,180/3,245/4,300/5,340/6,370/8,400";
    assertThat(against(csv)).contains("7 points");
    assertThatThrownBy(() -> against(csv.replace("245", "x")))
        .hasMessageStartingWith("figures.csv:6: y is 'x'");
  }

  @Test
  void namesOfColumnsAreFoundHoweverTheirSpacesAndAccentsAreTyped() throws IOException {
    String csv = "\u00A0n\u202F,de\u0301bit,y/1,1,100/2,1,180/3,1,245/4,1,300/5,1,340/6,1,370";
    assertThat(against(csv)).contains("6 points");
    assertThat(factors(csv.replace(",1,3", ",2,3"), "d\u00E9bit")).contains("d\u00E9bit");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "#[Histogram log format version 1.3]/\"Interval_Max\",\"Interval_Compressed_Histogram\"/2,HIST"
            + "|figures.csv is an HdrHistogram log",
        "metric_name,timestamp,metric_value,check/http_reqs,1,1,|figures.csv is the raw output of k6",
        "Metric,Task,Value,Unit/Cumulative indexing time,,12,min"
            + "|figures.csv is the raw output of Rally",
      })
  void tablesOfOtherToolsAreNamed(String csv, String sentence) {
    assertThatThrownBy(() -> against(csv))
        .isInstanceOf(BadDataException.class)
        .hasMessageStartingWith(sentence);
  }

  private static final String CELLS =
      "id,block,a,b,y/1,1,0,0,100/2,1,0,1,101/3,1,1,0,130/4,2,0,0,201/5,2,0,1,199/6,2,1,1,262"
          + "/7,3,0,1,51/8,3,1,0,64/9,3,1,1,66";

  @Test
  void aCellMissingFromEveryBlockHidesNoEffectAndTheColumnOfBlocksIsFound() throws IOException {
    // R: summary(lm(log(y) ~ a * b + block)), a: p 6e-5; times 3 by Holm.
    String expected = "a, 1 against 0: y +29.3 % (95 % interval +26.2 % to +32.6 %)";
    assertThat(factors(CELLS, "a", "b"))
        .contains(expected, "Blocks are taken from the column block.");
    Path file = folder.resolve("figures.csv");
    assertThat(study(file, false, ResponseScale.LN, "id", "a", "b")).contains(expected);
  }

  @Test
  void ofARunTheRowsThatCountAreAnalysed() throws IOException {
    String csv =
        "trial,block,attempt,path,outcome,counts,y/1,1,1,put,OK,true,100/2,1,1,get,OK,false,9"
            + "/2,1,2,get,OK,true,200/3,2,1,put,FAILED,true,/4,2,1,get,OK,true,210/5,3,1,put,OK,true,102"
            + "/6,3,1,get,OK,true,205/7,4,1,put,OK,true,101/8,4,1,get,OK,true,199";
    assertThat(factors(csv, "path"))
        .contains("2 rows left out")
        .contains("path, get against put: y +");
  }

  @Test
  void moreTrialsThanAFileCanHoldAreRefused() throws IOException {
    Path file = folder.resolve("many.csv");
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("a,id,y\n");
      for (int i = 0; i <= 200_000; i++) {
        out.write("%d,%d,%d%n".formatted(i % 2, i, 100 + i % 7));
      }
    }
    assertThatThrownBy(() -> study(file, false, ResponseScale.LN, "id", "a"))
        .isInstanceOf(BadDataException.class)
        .hasMessageStartingWith("many.csv holds more than 200,000 trials");
  }
}
