package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Anybody's figures, by the command as users have it. */
class AnalyseIT {
  @TempDir Path folder;

  private Ended analyse(String csv, String... aim) throws Exception {
    Files.writeString(folder.resolve("figures.csv"), csv.replace('/', '\n'));
    String[] arguments = new String[aim.length + 4];
    arguments[0] = "analyse";
    arguments[1] = "figures.csv";
    arguments[2] = "--response";
    arguments[3] = "y";
    System.arraycopy(aim, 0, arguments, 4, aim.length);
    return new Pyrometer(folder).run(arguments);
  }

  @Test
  void aLadderGivesThePageAndItsCommand() throws Exception {
    Ended ended = analyse("n,y/1,100/2,180/3,245/4,300/5,340/6,370/8,400/10,410", "--against", "n");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(ended.out()).contains("How does y depend on n?", "the models predict", "Report: ");
    assertThat(folder.resolve("figures-analysis/report.html"))
        .content()
        .contains("./pyrometer analyse figures.csv --response y --against n");
    assertThat(folder.resolve("figures-analysis/report.md")).isNotEmptyFile();
  }

  @Test
  void badFiguresAreOneSentenceEach() throws Exception {
    String ladder = "n,y/1,10/2,";
    assertSentence(
        analyse(ladder + "abc/3,30/4,39", "--against", "n"), "'abc', which is no number");
    assertSentence(
        analyse(ladder + "NaN/3,30/4,39", "--against", "n"), "'NaN', which is no number");
    assertSentence(analyse(ladder + "19", "--against", "n"), "needs at least 4 points");
    assertSentence(analyse("n,y/1,5/2,5/3,5/4,5", "--against", "n"), "same to the last digit");
    assertSentence(analyse("a,y/x,5/x,6", "--factors", "a"), "needs at least two different levels");
    assertSentence(
        analyse("a,b,y/1,1,5/2,1,6/3,2,7", "--factors", "a,b"), "run more treatments or leave");
    assertSentence(analyse("a,y/x,5/y,6", "--factors", "b"), "has no column b");
  }

  private static void assertSentence(Ended ended, String expected) {
    assertThat(ended.err()).contains(expected).doesNotContain("\tat ", "Exception");
    assertThat(ended.err().strip().lines()).hasSize(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.code()).isEqualTo(2);
  }
}
