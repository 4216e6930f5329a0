package io.pyrometer.cli;

import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.Page;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.ComparisonPage;
import io.pyrometer.results.compare.JudgedMetrics;
import io.pyrometer.results.compare.RunComparison;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer compare}. */
@Command(name = "compare", mixinStandardHelpOptions = true)
final class CompareCommand extends ReportingCommand {
  @Parameters(arity = "1..2", paramLabel = "RUN")
  List<String> names = new ArrayList<>();

  @Option(names = "--interleave")
  boolean interleave;

  @ArgGroup(exclusive = false, heading = "With --interleave:%n")
  InterleavedRun.Options versions = new InterleavedRun.Options();

  @Mixin AttachedGrid grid = new AttachedGrid();

  @Option(names = "--delta", paramLabel = "[METRIC=]SHARE")
  List<String> deltas = new ArrayList<>();

  @Option(names = "--only", split = ",", paramLabel = "METRIC")
  Set<String> only = new LinkedHashSet<>();

  @Option(names = "--junit", paramLabel = "FILE")
  Optional<Path> junit = Optional.empty();

  @Option(names = "--verbose")
  boolean verbose;

  @Option(names = "--markdown", paramLabel = "FILE")
  Optional<Path> markdown = Optional.empty();

  @Option(names = "--html", paramLabel = "FILE")
  Optional<Path> html = Optional.empty();

  @Override
  public Integer call() {
    JudgedMetrics judged = JudgedMetrics.parse(only, deltas);
    if (interleave) {
      return show(
          new InterleavedRun(line(), people(), runs, grid, Home.catalogue())
              .measure(names, versions, judged));
    }
    if (versions.given()) {
      throw new RunException(
          "Blocks, settings and classes are given with --interleave; runs that exist have theirs.");
    }
    List<RunRecord> records =
        names.stream().map(run -> RunRecord.load(RunFolder.find(runs, run))).toList();
    if (records.size() == 1) {
      return show(RunComparison.interleaved(records.get(0), judged));
    }
    for (RunRecord run : records) {
      if (run.plan().interleaving().isPresent()) {
        throw RunException.of(
            "%s holds two versions already; compare it alone.", run.folder().path().getFileName());
      }
    }
    if (junit.isPresent() || !deltas.isEmpty()) {
      throw new RunException(
          "--junit and --delta are for verdicts, which finished runs do not have; measure both"
              + " versions with --interleave.");
    }
    return show(RunComparison.of(records.get(0), records.get(1), judged));
  }

  private int show(RunComparison found) {
    Page page = ComparisonPage.of(found, PageOutput.typed(line()));
    junit.ifPresent(
        file ->
            PageOutput.write(
                file, to -> JUnitXml.write(to, "pyrometer compare", ComparisonPage.cases(found))));
    markdown.ifPresent(
        file -> PageOutput.write(file, to -> Files.writeString(to, Markdown.page(page))));
    PageOutput.show(
        this,
        page,
        Optional.of(ComparisonPage.brief(found)).filter(brief -> !verbose),
        html.orElseGet(() -> found.folder().file(InterleavedRun.PAGE)));
    return found.exitCode();
  }
}
