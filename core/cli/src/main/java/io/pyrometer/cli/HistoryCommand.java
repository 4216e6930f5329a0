package io.pyrometer.cli;

import io.pyrometer.results.compare.HistoryPage;
import io.pyrometer.results.compare.RunHistory;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer history}. */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description =
        "Shows the medians of an experiment's past runs (throughput, CPU time per record, p50 and"
            + " p99 of each operation), and where they changed.",
    footer = {"", "Example:", "  pyrometer history first-light --out /data/runs"})
final class HistoryCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "EXPERIMENT",
      description = "The experiment's name (default: that of the newest run).")
  Optional<String> experiment = Optional.empty();

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "Follow this metric as well, such as latency.get.p99.9; repeatable.")
  Set<String> metrics = new LinkedHashSet<>();

  @Mixin JsonOption form = new JsonOption();
  @Mixin RunsOption runs = new RunsOption();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "The page's file (default: in 'history' in the folder of runs).")
  Optional<Path> html = Optional.empty();

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    RunHistory history = RunHistory.of(runs.folder, experiment, metrics);
    Path file =
        html.orElseGet(
            () -> runs.folder.resolve("history").resolve(history.experiment() + ".html"));
    PageOutput.show(line, form, HistoryPage.of(history, PageOutput.typed(line)), file);
    return Main.OK;
  }
}
