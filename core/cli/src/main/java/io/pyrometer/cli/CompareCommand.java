package io.pyrometer.cli;

import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.Page;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.ComparisonPage;
import io.pyrometer.results.compare.FlameComparison;
import io.pyrometer.results.compare.JudgedMetrics;
import io.pyrometer.results.compare.Margins;
import io.pyrometer.results.compare.RunComparison;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
      "Tests a version for regressions against a baseline, by throughput, CPU time per"
          + " record, and p50 and p99 of each operation.",
      "With --interleave it measures two versions in the same blocks of one run, tests after each"
          + " block, and stops as soon as the verdict is clear. Use this form in CI.",
      "Otherwise it compares finished runs: several of each version (A1,A2,A3 B1,B2,B3), because a"
          + " single run does not show the run-to-run variance; or one interleaved run."
    },
    footer = {
      "",
      "Examples:",
      "  pyrometer compare --interleave before.yaml after.yaml --junit compare.xml",
      "  pyrometer compare --interleave mine.yaml --set-a backups=0 --set-b backups=1",
      "  pyrometer compare --interleave mine.yaml --classpath-a main.jar --classpath-b change.jar",
      "  pyrometer compare --interleave mine.yaml --set-b node-collector=Z --only throughput",
      "  pyrometer compare main-1,main-2,main-3 change-1,change-2,change-3 --delta 5%%",
      "  pyrometer compare runs/20261120-221500-compare-mine --delta latency.get.p99=20%%",
      "",
      "Exit code: 0 a loss of the smallest relevant difference is excluded, 1 regression,"
          + " 2 invalid input or different environments, 3 not enough blocks or runs to judge,"
          + " 4 only a loss of 3⅓ times that difference is excluded."
    })
final class CompareCommand extends ReportingCommand {
  private static final int LONGEST_NAME = 200;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN[,RUN…]",
      description =
          "Folders or names of runs, those of one version with commas between them: the baseline"
              + " and the candidate. With --interleave experiments: YAML files or names of"
              + " bundled ones, the baseline and the candidate, or one for both.")
  List<String> names = new ArrayList<>();

  @Option(
      names = "--interleave",
      description = "Measure both versions in the same blocks, and stop when the verdict is clear.")
  boolean interleave;

  @ArgGroup(exclusive = false, heading = "With --interleave:%n")
  Interleave versions = new Interleave();

  @Mixin AttachedGrid grid = new AttachedGrid();

  /** Options that require --interleave; {@code --blocks} is the maximum, 20 by default. */
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

  @Option(names = "--ignore-environment", description = "Ignore environment differences.")
  boolean ignoreEnvironment;

  @Option(names = "--junit", paramLabel = "FILE", description = "Write the verdicts as JUnit XML.")
  Optional<Path> junit = Optional.empty();

  @Option(names = "--markdown", paramLabel = "FILE", description = "Write the page as Markdown.")
  Optional<Path> markdown = Optional.empty();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "The page's file (default: in the run's folder, or in 'compared' beside the runs).")
  Optional<Path> html = Optional.empty();

  @Override
  public Integer call() {
    CommandLine line = line();
    JudgedMetrics judged = new JudgedMetrics(only, metrics);
    if (interleave) {
      return show(
          new InterleavedRun(line, people(), runs, grid)
              .measure(names, versions, Margins.parse(deltas), judged));
    }
    if (versions.given()) {
      throw new RunException(
          "Blocks, settings and classes are given with --interleave; runs that exist have theirs.");
    }
    List<List<RunRecord>> records =
        names.stream()
            .map(
                name ->
                    Stream.of(name.split(",", -1))
                        .map(run -> RunRecord.load(RunFolder.find(runs, run)))
                        .toList())
            .toList();
    RunRecord first = records.get(0).get(0);
    boolean one = records.size() == 1 && records.get(0).size() == 1;
    if (one && first.plan().interleaving().isPresent()) {
      Margins margins =
          deltas.isEmpty()
              ? Margins.of(first.plan().interleaving().orElseThrow())
              : Margins.parse(deltas);
      return show(RunComparison.interleaved(first, margins, judged));
    }
    if (records.size() > 2) {
      throw RunException.of(
          "Two versions are compared and %d are given: put commas between the runs of one version.",
          records.size());
    }
    if (records.size() == 1) {
      throw new RunException(
          "There is one version and nothing to compare it with: name the runs of another, or measure two with --interleave.");
    }
    records.stream()
        .flatMap(List::stream)
        .filter(run -> run.plan().interleaving().isPresent())
        .findFirst()
        .ifPresent(
            run -> {
              throw RunException.of(
                  "%s holds two versions already; compare it alone.",
                  run.folder().path().getFileName());
            });
    Margins margins =
        deltas.isEmpty() ? Margins.found(runs, first.environment()) : Margins.parse(deltas);
    return show(
        RunComparison.of(
            records.stream().map(RunComparison.Side::of).toList(),
            margins,
            judged,
            ignoreEnvironment));
  }

  private int show(RunComparison found) {
    CommandLine line = line();
    Path shown = html.orElseGet(() -> page(found));
    Page page =
        ComparisonPage.of(found, PageOutput.typed(line), FlameComparison.write(found, shown));
    junit.ifPresent(
        file ->
            PageOutput.write(
                file, to -> JUnitXml.write(to, "pyrometer compare", ComparisonPage.cases(found))));
    markdown.ifPresent(
        file -> PageOutput.write(file, to -> Files.writeString(to, Markdown.page(page))));
    PageOutput.show(line, form, page, shown);
    return found.outcome().exitCode();
  }

  /** The page of an interleaved run is in its folder, that of others in one of its own. */
  private Path page(RunComparison found) {
    if (found.interleaved()) {
      return found.sides().get(0).runs().get(0).folder().file(InterleavedRun.PAGE);
    }
    String name =
        found.sides().stream()
            .flatMap(side -> side.runs().stream())
            .map(record -> String.valueOf(record.folder().path().toAbsolutePath().getFileName()))
            .collect(Collectors.joining("-and-"));
    String fit = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
    return runs.resolve("compared").resolve(fit + ".html");
  }
}
