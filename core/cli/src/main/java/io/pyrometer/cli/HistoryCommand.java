package io.pyrometer.cli;

import io.pyrometer.results.compare.RunHistory;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer history}. */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description =
        "Shows the medians of an experiment's past runs (throughput, CPU time per record, p50 and"
            + " p99 of each operation), and writes them as CSV for Apache Otava.",
    footer = {"", "Example:", "  pyrometer history first-light --out /data/runs"})
final class HistoryCommand extends ReportingCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "EXPERIMENT",
      description = "The experiment's name (default: that of the newest run).")
  Optional<String> experiment = Optional.empty();

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "Include this metric as well, such as latency.get.p99.9; repeatable.")
  Set<String> metrics = new LinkedHashSet<>();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "The page's file (default: in 'history' in the folder of runs).")
  Optional<Path> html = Optional.empty();

  @Override
  public Integer call() {
    CommandLine line = line();
    RunHistory history = RunHistory.of(runs, experiment, metrics);
    Path file =
        html.orElseGet(() -> runs.resolve("history").resolve(history.experiment() + ".html"));
    Path csv = csv(file);
    PageOutput.write(csv, history::writeCsv);
    PageOutput.show(line, form, history.page(PageOutput.typed(line), csv), file);
    return Main.OK;
  }

  /** The CSV beside the page. */
  private static Path csv(Path html) {
    return html.resolveSibling(
        String.valueOf(html.getFileName()).replaceFirst("\\.html?$", "") + ".csv");
  }
}
