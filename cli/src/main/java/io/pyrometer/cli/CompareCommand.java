package io.pyrometer.cli;

import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.Page;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.ComparisonPage;
import io.pyrometer.results.compare.Margins;
import io.pyrometer.results.compare.RunComparison;
import io.pyrometer.results.compare.Verdicts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description =
        "Compares runs with a baseline run by throughput, CPU time per record, and p50 and p99 of"
            + " each operation, and reports regressions.",
    exitCodeOnInvalidInput = CompareCommand.BAD_INPUT,
    footer = {
      "",
      "Examples:",
      "  pyrometer compare runs/20261120-221500-first-light runs/20261121-081500-first-light",
      "  pyrometer compare main.run change.run --delta 5%% --junit compare.xml --markdown compare.md",
      "  pyrometer compare main.run change.run --delta latency.get.p99=20%%",
      "",
      "Exit code: 0 no regression, 1 regression, 2 not enough runs, 3 invalid input or"
          + " different environments."
    })
final class CompareCommand implements Callable<Integer> {
  /** 2 is taken: not enough runs. */
  static final int BAD_INPUT = 3;

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "2..*",
      paramLabel = "RUN",
      description = "Folders or names of runs; the first is the baseline.")
  List<String> names = new ArrayList<>();

  @Mixin RunsOption runs = new RunsOption();

  @Option(
      names = "--delta",
      paramLabel = "[METRIC=]SHARE",
      description =
          "The smallest relevant difference of all metrics, or of one, as 3%% or 0.03; repeatable"
              + " (default: 3%%; 5%% of p50 and 10%% of p99).")
  List<String> deltas = new ArrayList<>();

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "Judge this metric as well, such as latency.get.p99.9; repeatable.")
  Set<String> metrics = new LinkedHashSet<>();

  @Option(names = "--anyway", description = "Compare runs of different environments.")
  boolean anyway;

  @Option(names = "--junit", paramLabel = "FILE", description = "Write the verdicts as JUnit XML.")
  Optional<Path> junit = Optional.empty();

  @Option(names = "--markdown", paramLabel = "FILE", description = "Write the page as Markdown.")
  Optional<Path> markdown = Optional.empty();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "The page's file (default: in 'compared' in the folder of runs).")
  Optional<Path> html = Optional.empty();

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    List<RunRecord> records =
        names.stream().map(name -> RunRecord.load(RunFolder.find(runs.folder, name))).toList();
    Margins margins =
        deltas.isEmpty()
            ? Margins.found(runs.folder, records.get(0).environment())
            : margins(deltas);
    RunComparison found = RunComparison.of(records, margins, metrics, anyway);
    Page page = ComparisonPage.of(found, PageOutput.typed(line));
    junit.ifPresent(
        file ->
            PageOutput.write(
                file, to -> JUnitXml.write(to, "pyrometer compare", Verdicts.cases(found))));
    markdown.ifPresent(
        file -> PageOutput.write(file, to -> Files.writeString(to, Markdown.page(page))));
    PageOutput.show(line.getOut(), page, html.orElseGet(() -> beside(records)));
    return switch (found.outcome()) {
      case PASS -> 0;
      case REGRESSION -> 1;
      case NOT_ENOUGH_RUNS -> 2;
    };
  }

  private Path beside(List<RunRecord> records) {
    String name =
        records.stream()
            .map(record -> String.valueOf(record.folder().path().toAbsolutePath().getFileName()))
            .collect(Collectors.joining("-and-"));
    return runs.folder.resolve("compared").resolve(name + ".html");
  }

  private static Margins margins(List<String> deltas) {
    Optional<Double> overall = Optional.empty();
    Map<String, Double> byMetric = new LinkedHashMap<>();
    for (String text : deltas) {
      int sign = text.indexOf('=');
      if (sign < 0) {
        overall = Optional.of(share(text));
      } else {
        byMetric.put(text.substring(0, sign).strip(), share(text.substring(sign + 1)));
      }
    }
    return Margins.given(overall, byMetric);
  }

  private static double share(String text) {
    boolean percent = text.strip().endsWith("%");
    String number = percent ? text.strip().substring(0, text.strip().length() - 1) : text;
    try {
      double value = Double.parseDouble(number.strip()) / (percent ? 100 : 1);
      if (value > 0 && value < 1) {
        return value;
      }
    } catch (NumberFormatException none) {
      // Reported below, with the shares that are out of range.
    }
    throw new RunException(
        "--delta takes a share between 0 and 1, as 3%% or 0.03, not '%s'; correct it."
            .formatted(text));
  }
}
