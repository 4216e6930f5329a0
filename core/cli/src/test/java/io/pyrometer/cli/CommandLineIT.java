package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.MadeUpExperiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        "copies.yaml",
        """
        pyrometer: 1
        name: copies
        question: Do two copies fit?
        grid: {driver: ignite, nodes: 2, backups: 1, region: 256m}
        workload: {record: stock-order, records: 8000000, path: put}
        """);
    file(
        "keys.yaml",
        """
        pyrometer: 1
        name: keys
        question: Which product?
        grid: {nodes: 2}
        workload: {record: stock-order, records: 1000, key-form: string}
        factors:
          product:
            - {label: A, set: {driver: ignite, path: put}}
            - {label: B, set: {driver: hazelcast, path: set}}
        """);
    for (String fault : List.of("bridge", "split")) {
      file(
          fault + ".yaml",
          """
          pyrometer: 1
          name: faults
          question: Does it keep its promises?
          grid: {driver: ignite, nodes: 2}
          workload: {chaos: chaos-registers, faults: [kill, %s]}
          """
              .formatted(fault));
    }
    file("server.xml", "<?xml version='1.0'?><beans xmlns:p='pyrometer'></beans>");
    file("scaling.csv", "n,y/1,100/2,180/3,245/4,300/5,340/6,370/8,400/10,410");
    file("word.csv", "n,y/1,10/2,abc/3,30/4,39");
    file("few.csv", "n,y/1,10/2,19");
    file("same.csv", "n,y/1,5/2,5/3,5/4,5");
    file("level.csv", "a,y/x,5/x,6");
    file("unreplicated.csv", "a,b,y/1,1,5/2,1,6/3,2,7");
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
          list drivers                                         | arrays in the agent
          list paths                                           | One store into an array
          list                                                 | experiments/latency/NAME.yaml)
          list null                                            | Paths by job:
          list null paths                                      | One store into an array
          list null settings                                   | Settings of every driver
          list null heap                                       | Settings of every driver
          list null --json                                     | "name" : "null"
          list runs --out @runs                                | runs/a
          list runs --out @none                                | There are no runs
          list --schema                                        | https://json-schema.org
          list --markdown                                      | # Settings
          plan harness                                         | trials,
          validate @ok.yaml                                    | is valid: 1 trial,
          validate @ok.yaml --json                             | "valid" : true
          plan @ok.yaml --set agent-heap=900g --offline        | 1 trial,
          report @runs/a                                       | Report:
          open --no-browser --out @runs                        | index.html
          history --out @runs                                  | Report:
          analyse @scaling.csv --response y --against n        | explains the points best
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
          2 | runn                                                  | Unmatched argument
          2 | list nothing                                          | nothing called 'nothing'
          2 | list null nothing                                     | no path or setting with 'nothing'
          2 | compare @runs/a @runs/b --only p99(gte)               | No run has a metric 'p99(gte)'
          2 | compare @runs/a @runs/b --delta p99(gte)=20%          | are for verdicts
          2 | plan @none.yaml                                       | './pyrometer list' names
          2 | validate @bad.yaml                                    | choose from
          2 | validate @typo.yaml                                   | thresholds: No trial will have a metric 'latency.gett.p99'
          2 | run @typo.yaml --out @never                           | thresholds: No trial will have a metric 'latency.gett.p99'
          2 | validate @keys.yaml                                   | 'key-form' is no setting of Hazelcast
          2 | validate @copies.yaml                                 | bytes in 2 copies take
          2 | validate @bridge.yaml                                 | the fault 'bridge' needs at least 3 servers
          2 | validate @split.yaml                                  | the fault 'split' needs a network of Pyrometer's own
          2 | plan @ok.yaml --set agent-heap=900g                   | MB of memory but
          2 | run @none.yaml                                        | there is no such file
          2 | run --quick --full                                    | exclude each other
          2 | plan @ok.yaml --within 1s                             | One block takes about
          2 | run @ok.yaml --set pth=put                            | unknown factor or setting
          2 | run @ok.yaml --classpath none.jar                     | does not exist
          2 | run @ok.yaml --set agent-heap=900g --out @never       | MB of memory but
          2 | resume nowhere --out @runs                            | There is no run 'nowhere'
          2 | open --out @none                                      | There is no folder of runs
          2 | sample @ok.yaml --look-at 0                           | numbers of 1 or more
          2 | doctor                                                | Name what to examine
          2 | doctor @ok.yaml                                       | attaches to no cluster
          2 | doctor @server.xml                                    | server.xml' is no experiment, as it lacks
          2 | doctor @few.csv                                       | lacks the key 'pyrometer': name the addresses
          2 | doctor @runs                                          | runs' is a folder without a run
          2 | doctor 127.0.0.1                                      | has no port: name the port of discovery too
          2 | doctor --config none.xml                              | no file 'none.xml'
          2 | doctor 127.0.0.1:1 --driver null                      | The driver 'null' has no checks
          2 | doctor 127.0.0.1:1 --for 1s                           | is too short
          2 | doctor 127.0.0.1:1 --for soon                         | must be a time
          2 | capacity @runs/a                                      | --rate
          2 | capacity @runs/a --rate much                          | --rate is 'much'
          2 | compare @runs/a                                       | is one run of one version
          2 | compare @runs/a @runs/b --delta 300%                  | a share between 0 and 1
          2 | compare @runs/a @runs/b --blocks 5                    | with --interleave
          2 | compare --interleave @ok.yaml @ok.yaml --blocks 1     | is too few: a verdict needs 3 blocks
          2 | compare --interleave @ok.yaml @ok.yaml --within 1s    | One block takes about
          2 | compare @runs/a @runs/b --within 5m                   | with --interleave
          2 | analyse @none.csv --response y --against n            | none.csv
          2 | analyse @word.csv --response y --against n            | 'abc', which is no number
          2 | analyse @few.csv --response y --against n             | needs at least 4 points
          2 | analyse @same.csv --response y --against n            | same to the last digit
          2 | analyse @level.csv --response y --factors a           | two different levels
          2 | analyse @unreplicated.csv --response y --factors a,b  | run more treatments or leave
          """)
  void aMistakeIsASentence(int code, String line, String expected) {
    Ended ended = execute(line);
    assertThat(ended.err()).contains(expected == null ? "" : expected);
    assertThat(ended.err()).doesNotContain("\tat ", "Exception", "bug in Pyrometer");
    assertThat(ended.code()).isEqualTo(code);
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
