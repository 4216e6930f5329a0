package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.MadeUpExperiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every command within this JVM: what it prints on success, and its typical mistakes. */
class CommandLineIT {
  @TempDir static Path folder;

  @BeforeAll
  static void files() throws IOException {
    Path runs = Files.createDirectories(folder.resolve("runs"));
    run(runs, "a", "2026-11-20T10:00:00Z");
    run(runs, "b", "2026-11-21T10:00:00Z");
    file(
        "ok.yaml",
        """
        pyrometer: 1
        name: one
        question: How fast is one put?
        grid: {driver: "null"}
        workload: {record: stock-order, records: 2000, path: put}
        blocks: 1
        """);
    file("bad.yaml", Files.readString(folder.resolve("ok.yaml")).replace("\"null\"", "memcached"));
    file(
        "typo.yaml",
        Files.readString(folder.resolve("ok.yaml")) + "thresholds: [p99(gett) < 5ms]\n");
    file(
        "mix.yaml",
        Files.readString(folder.resolve("ok.yaml"))
            .replace("\"null\"", "ignite")
            .replace("path: put", "path: mixed, mix: {get: 70%, put-all: 30%}"));
    file("server.xml", "<?xml version='1.0'?><beans xmlns:p='pyrometer'></beans>");
    file("scaling.csv", "n,y/1,100/2,180/3,245/4,300/5,340/6,370/8,400/10,410");
    file("word.csv", "n,y/1,10/2,abc/3,30/4,39");
  }

  private static void file(String name, String text) throws IOException {
    String lines = name.endsWith(".csv") ? text.replace('/', '\n') : text;
    Files.writeString(folder.resolve(name), lines);
  }

  private static void run(Path runs, String name, String begun) throws IOException {
    RunFolder written =
        MadeUpExperiment.runOf(3).begun(begun).write(runs, trial -> 1000 + trial.ordinal());
    Files.move(written.path(), runs.resolve(name));
  }

  private static Ended execute(String line) {
    return Pyrometer.execute(line.replace("@", folder + "/").split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --version                                            | Pyrometer
          --help                                               | ./pyrometer run --quick
          generate-completion                                  | complete
          list drivers                                         | null
          list paths                                           | put
          list                                                 | experiments/latency/
          list null                                            | put
          list null paths                                      | put
          list null --json                                     | "name" : "null"
          list runs --out @runs                                | runs/a
          list --schema                                        | https://json-schema.org
          list --markdown                                      | # Settings
          plan harness                                         | trials,
          validate @ok.yaml                                    | 1 trial,
          validate @ok.yaml --json                             | "valid" : true
          plan @ok.yaml --set agent-heap=900g --offline        | 1 trial,
          report @runs/a                                       | Report:
          open --no-browser --out @runs                        | index.html
          history --out @runs                                  | Report:
          analyse @scaling.csv --response y --against n        | scaling
          """)
  void aCommandSucceeds(String line, String expected) {
    Ended ended = execute(line);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).containsIgnoringCase(expected);
    assertThat(ended.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          runn                                                  | 'runn'
          list nothing                                          | 'nothing'
          compare @runs/a @runs/b --only p99(gte)               | 'p99(gte)'
          compare @runs/a @runs/b --delta p99(gte)=20%          | --delta
          compare --interleave @mix.yaml --only p99(gett)       | 'p99(gett)'
          validate @bad.yaml                                    | 'memcached'
          validate @typo.yaml                                   | 'latency.gett.p99'
          plan @ok.yaml --set agent-heap=900g                   | node-heap
          run @none.yaml                                        | none.yaml
          run --quick --full                                    | --full
          plan @ok.yaml --within 1s                             |  --within 1s
          run @ok.yaml --set pth=put                            | 'pth'
          run @ok.yaml --classpath none.jar                     | none.jar
          resume nowhere --out @runs                            | 'nowhere'
          open --out @none                                      | none
          sample @ok.yaml --look-at 0                           | --look-at
          doctor                                                | --config
          doctor @ok.yaml                                       | ok.yaml
          doctor @server.xml                                    | server.xml'
          doctor @runs                                          | runs'
          doctor 127.0.0.1                                      | 127.0.0.1
          doctor --config none.xml                              | 'none.xml'
          doctor 127.0.0.1:1 --driver null                      | 'null'
          doctor 127.0.0.1:1 --for 1s                           | 1s
          capacity @runs/a                                      | --rate
          capacity @runs/a --rate much                          | --rate is 'much'
          compare @runs/a                                       | --interleave
          tune @ok.yaml --goal speed                            | --goal takes throughput
          tune @ok.yaml --budget 10                             | '10'
          tune @ok.yaml --allow copy                            | 'copy'
          doctor @word.csv                                      | 'pyrometer'
          compare @runs/a @runs/b --delta 300%                  | --delta
          compare @runs/a @runs/b --blocks 5                    | --interleave
          compare --interleave @ok.yaml @ok.yaml --blocks 1     |  3
          analyse @none.csv --response y --against n            | none.csv
          analyse @word.csv --response y --against n            | 'abc'
          """)
  void aMistakeIsASentence(String line, String named) {
    Ended ended = execute(line);
    assertThat(ended.err())
        .contains(named)
        .doesNotContain("\tat ", "Exception", "bug in Pyrometer");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(folder.resolve("never")).doesNotExist();
  }

  @Test
  void asManyBlocksAsFitIntoATimeArePlanned() throws IOException {
    String line = "plan @ok.yaml --blocks 150 --json --within ";
    int oneMinute = blocks(execute(line + "60s").out());
    assertThat(oneMinute).isBetween(2, 60);
    assertThat(blocks(execute(line + "120s").out())).isBetween(2 * oneMinute - 1, 3 * oneMinute);
    assertThat(blocks(execute(line + "1h").out())).isEqualTo(150);
  }

  private static int blocks(String plan) throws IOException {
    return new ObjectMapper().readTree(plan).get("trials").size();
  }

  @Test
  void analysesOfTwoResponsesOfAFileLieBesideEachOther() {
    execute("analyse @scaling.csv --response y --against n");
    execute("analyse @scaling.csv --response n --against y");
    assertThat(folder.resolve("scaling-y-analysis/report.html")).exists();
  }
}
