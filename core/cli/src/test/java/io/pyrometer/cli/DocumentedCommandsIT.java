package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.journal.Metric;
import io.pyrometer.results.MadeUpRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each command of a page is executed in the order of the page, in a folder with the files that it
 * names. Placeholders stand for a cluster, its performance statistics and finished runs; runs are
 * short. Bundled experiments are run by {@code ./check --all}.
 */
@Tag("extended")
class DocumentedCommandsIT extends RunFixture {
  private static final Set<String> BUNDLED =
      Catalogue.load(Path.of(System.getProperty("pyrometer.dist"))).experiments().keySet();

  /** Commands that other tests execute: {@link WholeRunIT} and {@link HostsIT}. */
  private static final Set<String> ELSEWHERE = Set.of("resume RUN", "hosts check mine.yaml");

  private static final String MINE =
      """
      pyrometer: 1
      name: mine
      question: How fast are puts?
      grid: {driver: ignite, nodes: 2}
      workload:
        record: stock-order
        records: 2000
        path: put-all
        common-warm-up: 1s
        warm-up: 1s
        measure: 1s
      blocks: 1
      """;

  private static final String NULL_GRID =
      """
      pyrometer: 1
      name: performance
      question: How fast is one put?
      grid: {driver: "null"}
      workload: {record: stock-order, records: 2000, path: put}
      """;

  private static final String FILL =
      """
      import java.util.TreeMap;
      import org.apache.ignite.Ignition;
      import org.apache.ignite.client.*;
      import org.apache.ignite.configuration.ClientConfiguration;

      public class Fill {
        public static void main(String[] arguments) throws Exception {
          ClientConfiguration configuration = new ClientConfiguration().setAddresses(arguments[0]);
          try (IgniteClient client = Ignition.startClient(configuration)) {
            ClientCache<Long, Object> orders = client.getOrCreateCache("orders").withKeepBinary();
            TreeMap<Long, Object> all = new TreeMap<>();
            for (long id = 0; id < 100_000; id++) {
              all.put(
                  id,
                  client.binary().builder("Order")
                      .setField("customer", "customer " + id % 100)
                      .setField("amount", id / 10.0)
                      .build());
            }
            orders.putAll(all);
          }
        }
      }
      """;

  @TempDir static Path shared;
  private static TheirCluster theirs;
  private static Path statistics;
  private static Path attachedRun;

  /** Starts two servers with the cache that the pages read, and records calls of a run. */
  @BeforeAll
  static void startTheirs() throws Exception {
    theirs = TheirCluster.start(shared, 2, 512L << 20, "768m", false);
    theirs.execute(shared, "Fill", FILL);
    Pyrometer runner = new Pyrometer(Files.createDirectories(shared.resolve("runner")));
    Pyrometer observer = new Pyrometer(Files.createDirectories(shared.resolve("observer")));
    Path experiment = shared.resolve("runner/my-orders.yaml");
    Files.writeString(
        experiment, DocumentedCommands.experiments("docs/ignite.md").get("my-orders.yaml"));
    Files.writeString(shared.resolve("runner/client.xml"), theirs.clientXml());
    String longRun = "run my-orders.yaml --blocks 2 --set common-warm-up=0s --set warm-up=1s";
    Process run = runner.start((longRun + " --set measure=3s").split(" "));
    Pyrometer.await("a first trial", () -> runner.journalLines() >= 1 || !run.isAlive());
    Ended recorded = observer.run("doctor", theirs.address, "--statistics", "10s", "--yes");
    assertThat(recorded.code()).as(recorded.err()).isIn(0, 1);
    assertThat(run.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(runner.end(run).err()).isEmpty();
    statistics = observer.runFolder();
    attachedRun = runner.runFolder();
  }

  @AfterAll
  static void stopTheirs() {
    theirs.close();
  }

  @ParameterizedTest
  @MethodSource("io.pyrometer.cli.DocumentedCommands#pages")
  void theCommandsOfAPageRun(String page) throws Exception {
    writeFiles(page);
    for (String experiment : DocumentedCommands.experiments(page).keySet()) {
      execute("validate " + experiment);
    }
    for (String command : DocumentedCommands.of(page)) {
      if (!ELSEWHERE.contains(command) && !isBundled(command)) {
        execute(command);
      }
    }
  }

  private static boolean isBundled(String command) {
    String[] words = command.split(" ");
    return words[0].equals("run")
        && (words.length == 1 || words[1].startsWith("-") || BUNDLED.contains(words[1]));
  }

  private void writeFiles(String page) throws IOException {
    write("mine.yaml", MINE);
    for (String file : List.of("before.yaml", "after.yaml", "performance.yaml")) {
      write(file, NULL_GRID);
    }
    for (Map.Entry<String, String> file : DocumentedCommands.experiments(page).entrySet()) {
      write(file.getKey(), file.getValue());
    }
    write("client.xml", theirs.clientXml());
    write("ignite.xml", theirs.clientXml());
    for (String file : List.of("figures.csv", "single-host-scaling.csv")) {
      Files.copy(
          DocumentedCommands.ROOT.resolve(
              "core/analysis/src/test/resources/published/single-host-scaling.csv"),
          folder.resolve(file),
          StandardCopyOption.REPLACE_EXISTING);
    }
    for (String classes : List.of("target/classes", "base/target/classes")) {
      Files.createDirectories(folder.resolve(classes));
    }
    for (String jar : List.of("main.jar", "change.jar")) {
      new JarOutputStream(Files.newOutputStream(folder.resolve(jar)), new Manifest()).close();
    }
    finishedRun("20261120-221500-mine", "2026-11-20T22:15:00Z");
    finishedRun("20261121-221500-mine", "2026-11-21T22:15:00Z");
    finishedRun("20261120-221500-first-light", "2026-11-20T22:15:00Z");
  }

  private void finishedRun(String name, String begun) throws IOException {
    MadeUpRun run =
        MadeUpRun.read(
                MadeUpRun.file(
                    "mine",
                    "driver: rich",
                    "record: stock-order, records: 1000, path: put",
                    "blocks: 3\n"))
            .begun(begun)
            .metrics(
                (trial, metrics) -> {
                  metrics.put(Metric.DEMAND_OF_CLIENTS + "cpu", Metric.lowerIsBetter(50, "µs"));
                  metrics.put(Metric.DEMAND_OF_SERVERS + "cpu", Metric.lowerIsBetter(140, "µs"));
                });
    Path runs = Files.createDirectories(folder.resolve("runs"));
    Path written = run.write(runs, trial -> 1000 + trial.ordinal()).path();
    Files.move(written, runs.resolve(name));
  }

  private void execute(String command) throws Exception {
    String[] parts = command.split(" > ", 2);
    List<String> arguments = new ArrayList<>(List.of(concrete(parts[0]).split("\\s+")));
    arguments.addAll(shorter(command));
    Process process = pyrometer.start(arguments.toArray(String[]::new));
    assertThat(process.waitFor(20, TimeUnit.MINUTES)).as(command).isTrue();
    Ended ended = pyrometer.end(process);
    assertThat(ended.code())
        .as("%s%n%s%n%s", command, ended.out(), ended.err())
        .isIn(codes(arguments.get(0)));
    if (parts.length > 1) {
      write(parts[1].strip(), ended.out());
    }
  }

  /** The command with what its placeholders stand for. */
  private static String concrete(String command) {
    return command
        .replaceAll("10\\.0\\.0\\.\\d:47500(,10\\.0\\.0\\.\\d:47500)*", theirs.address)
        .replace("runs/20260102-100000-my-orders", attachedRun.toString())
        .replace("perf_stat", statistics.toString())
        .replaceAll("\\bRUN\\b", "20261120-221500-mine")
        .replaceAll("\\[?EXPERIMENT]?", "mine")
        .replaceAll("\\bID\\b", "ranking.best")
        .replace("30m", "4m");
  }

  private static List<String> shorter(String command) {
    if (command.startsWith("run ")) {
      return List.of("--quick");
    } else if (command.startsWith("compare --interleave ")) {
      return List.of("--blocks", "3", "--set", "warm-up=1s", "--set", "measure=1s");
    }
    return command.startsWith("open") ? List.of("--no-browser") : List.of();
  }

  /** Exit codes of a command that did its work, whatever it found. */
  private static Set<Integer> codes(String command) {
    return switch (command) {
      case "doctor" -> Set.of(0, 1);
      case "compare" -> Set.of(0, 1, 3);
      case "tune" -> Set.of(0, 3);
      default -> Set.of(0);
    };
  }
}
