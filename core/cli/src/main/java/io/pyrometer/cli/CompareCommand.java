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
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "With --interleave, measures two versions in the same blocks of one run and tests the second"
          + " for regressions: throughput, CPU time per record, and p50 and p99 of each operation.",
      "Otherwise shows two finished runs side by side, without a verdict, or the verdict of one"
          + " interleaved run again."
    },
    footer = {
      "",
      "Examples:",
      "  pyrometer compare --interleave before.yaml after.yaml --junit compare.xml",
      "  pyrometer compare --interleave mine.yaml mine.yaml",
      "  pyrometer compare --interleave mine.yaml --set-a backups=0 --set-b backups=1",
      "  pyrometer compare --interleave mine.yaml --classpath-a main.jar --classpath-b change.jar",
      "  pyrometer compare --interleave mine.yaml --set-b node-collector=Z --only throughput",
      "  pyrometer compare runs/20261120-221500-compare-mine --delta latency.get.p99=20%%",
      "  pyrometer compare 20261120-221500-mine 20261121-221500-mine",
      "",
      "Exit code: 0 a loss of the smallest relevant difference is excluded, or two runs were shown,"
          + " 1 regression, 2 invalid input, 3 not decided."
    })
final class CompareCommand extends ReportingCommand {
  @Parameters(
      arity = "1..2",
      paramLabel = "RUN",
      description =
          "Folders or names of two runs, or of one interleaved run. With --interleave experiments:"
              + " YAML files or names of bundled ones, the baseline and the candidate, or one for"
              + " both.")
  List<String> names = new ArrayList<>();

  @Option(
      names = "--interleave",
      description = "Measure both versions in the same blocks, and judge them after the last.")
  boolean interleave;

  @ArgGroup(exclusive = false, heading = "With --interleave:%n")
  Interleave versions = new Interleave();

  @Mixin AttachedGrid grid = new AttachedGrid();

  /** Options that require --interleave; {@code --blocks} is 10 by default. */
  static final class Interleave extends OverrideOptions {
    @Option(names = "--set-a", paramLabel = "NAME=VALUE,…", description = "--set for A only.")
    List<String> setA = new ArrayList<>();

    @Option(names = "--set-b", paramLabel = "NAME=VALUE,…", description = "--set for B only.")
    List<String> setB = new ArrayList<>();

    @Option(
        names = "--classpath-a",
        split = ":",
        paramLabel = "PATH",
        description =
            "Classes of A only; they take precedence over those of the driver and the product.")
    List<Path> classPathA = new ArrayList<>();

    @Option(
        names = "--classpath-b",
        split = ":",
        paramLabel = "PATH",
        description = "Classes of B only.")
    List<Path> classPathB = new ArrayList<>();

    @Option(
        names = "--classpath",
        split = ":",
        paramLabel = "PATH",
        description = "Your own classes of both, separated by ':'.")
    List<Path> classPath = new ArrayList<>();

    @Option(
        names = "--within",
        paramLabel = "TIME",
        description = "At most as many blocks as fit into this time, such as 30m.")
    Optional<String> within = Optional.empty();

    boolean given() {
      return blocks.isPresent()
          || within.isPresent()
          || seed.isPresent()
          || Stream.of(set, setA, setB, classPathA, classPathB, classPath)
              .anyMatch(each -> !each.isEmpty());
    }
  }

  @Option(
      names = "--delta",
      paramLabel = "[METRIC=]SHARE",
      description =
          "The smallest relevant difference of all metrics, or of one, as 3%% or 0.03; repeatable"
              + " (default: 3%%; 5%% of p50 and 10%% of p99).")
  List<String> deltas = new ArrayList<>();

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "METRIC",
      description =
          "Judge these metrics alone, such as throughput, cpu-per-record, p99 (of every operation)"
              + " or p99(get); verdict, exit code and JUnit follow them.")
  Set<String> only = new LinkedHashSet<>();

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "Judge this metric as well, such as latency.get.p99.9; repeatable.")
  Set<String> metrics = new LinkedHashSet<>();

  @Option(names = "--junit", paramLabel = "FILE", description = "Write the verdicts as JUnit XML.")
  Optional<Path> junit = Optional.empty();

  @Option(names = "--verbose", description = "Print the whole page instead of its first table.")
  boolean verbose;

  @Option(names = "--markdown", paramLabel = "FILE", description = "Write the page as Markdown.")
  Optional<Path> markdown = Optional.empty();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "The page's file (default: in the folder of the last run).")
  Optional<Path> html = Optional.empty();

  @Override
  public Integer call() {
    CommandLine line = line();
    JudgedMetrics judged = JudgedMetrics.parse(only, metrics, deltas);
    if (interleave) {
      return show(new InterleavedRun(line, people(), runs, grid).measure(names, versions, judged));
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
          "--junit and --delta are for verdicts, which finished runs do not have; measure both versions with --interleave.");
    }
    return show(RunComparison.of(records.get(0), records.get(1), judged));
  }

  private int show(RunComparison found) {
    CommandLine line = line();
    Page page = ComparisonPage.of(found, PageOutput.typed(line));
    junit.ifPresent(
        file ->
            PageOutput.write(
                file, to -> JUnitXml.write(to, "pyrometer compare", ComparisonPage.cases(found))));
    markdown.ifPresent(
        file -> PageOutput.write(file, to -> Files.writeString(to, Markdown.page(page))));
    PageOutput.show(
        line,
        form,
        page,
        ComparisonPage.brief(found),
        verbose,
        html.orElseGet(() -> found.folder().file(InterleavedRun.PAGE)));
    return found.exitCode();
  }
}
