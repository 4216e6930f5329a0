package io.pyrometer.cli;

import io.pyrometer.results.compare.RunHistory;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer history}. */
@Command(name = "history", mixinStandardHelpOptions = true)
final class HistoryCommand extends ReportingCommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "EXPERIMENT")
  Optional<String> experiment = Optional.empty();

  @Option(names = "--metric", paramLabel = "NAME")
  Set<String> metrics = new LinkedHashSet<>();

  @Option(names = "--html", paramLabel = "FILE")
  Optional<Path> html = Optional.empty();

  @Override
  public Integer call() {
    RunHistory history = RunHistory.of(runs, experiment, metrics);
    Path file =
        html.orElseGet(() -> runs.resolve("history").resolve(history.experiment() + ".html"));
    Path csv = csv(file);
    PageOutput.write(csv, history::writeCsv);
    PageOutput.show(this, history.page(PageOutput.typed(line()), csv), Optional.empty(), file);
    return Main.OK;
  }

  /** The CSV beside the page. */
  private static Path csv(Path html) {
    return html.resolveSibling(
        String.valueOf(html.getFileName()).replaceFirst("\\.html?$", "") + ".csv");
  }
}
