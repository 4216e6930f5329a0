package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.SampledExperiment;
import io.pyrometer.journal.Examination;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RunChecks;
import io.pyrometer.results.compare.ComparisonPage;
import io.pyrometer.results.compare.JudgedMetrics;
import io.pyrometer.results.compare.RunComparison;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer doctor}. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description =
        "Looks for faults in a running cluster, a finished run or a configuration file: what is"
            + " wrong, how it shows, and what to change. Only reads; nothing in the cluster is"
            + " changed.",
    footer = {
      "",
      "Examples:",
      "  pyrometer doctor 10.0.0.1:47500,10.0.0.2:47500",
      "  pyrometer doctor mine.yaml --for 1m      the cluster that an experiment attaches to",
      "  pyrometer doctor runs/20260102-100000-mine     what was found during a run",
      "  pyrometer doctor --config server.xml",
      "",
      "Exit code: 0 nothing but advice and what --except accepts was found, 1 a problem or risk was",
      "found, 2 invalid input or the cluster cannot be reached."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final String GRID =
      """
      pyrometer: 1
      name: doctor
      question: What is wrong?
      grid: {driver: %s, attach: "%s"%s}
      workload: {record: stock-order, records: 1000, path: put}
      """;

  private static final String EXAMINED =
      "the addresses of a cluster (host:port), an experiment that attaches to one, a run's folder,"
          + " or --config and a file.";

  private static final Pattern EXPERIMENT =
      Pattern.compile("^[\\s{]*[\"']?pyrometer[\"']?\\s*:", Pattern.MULTILINE);
  private static final Pattern HTML =
      Pattern.compile("<!doctype html|<html", Pattern.CASE_INSENSITIVE);

  private static final int LOOK_AT_BYTES = 1 << 16;

  private static final int SHORTEST_SECONDS = 5;
  private static final int PROOFS = 3;

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CLUSTER",
      description =
          "Discovery addresses of a running cluster, host:port with commas between them; an"
              + " experiment's file whose grid says how to attach to one; or a run's folder.")
  Optional<String> cluster = Optional.empty();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Instead of a cluster: a server's configuration file, such as Spring XML.")
  Optional<Path> config = Optional.empty();

  @Option(
      names = "--driver",
      paramLabel = "NAME",
      description = "The driver, where no experiment names it (default: the one that has checks).")
  Optional<String> driver = Optional.empty();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "How long to observe the cluster (default: ${DEFAULT-VALUE}).")
  String length = "30s";

  @Option(
      names = "--prove",
      description =
          "Measures the actions of the first three diagnoses that an experiment can measure: starts"
              + " clusters like the examined one on this machine, with and without the change in"
              + " the same blocks. The examined cluster is left alone.")
  boolean prove;

  @Option(
      names = "--within",
      paramLabel = "TIME",
      description = "With --prove: the longest time for each (default: ${DEFAULT-VALUE}).")
  String within = "10m";

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Where runs are stored (default: ${DEFAULT-VALUE}).")
  Path runs = Path.of("runs");

  @Option(
      names = "--except",
      split = ",",
      paramLabel = "CHECK",
      description =
          "Checks whose findings are accepted, with commas between them, such as"
              + " stale-backup-reads: they are printed and do not change the exit code.")
  List<String> accepted = List.of();

  @Option(
      names = "--all",
      description = "Names the checks that found nothing, too; their number is printed without it.")
  boolean all;

  @Mixin ClassPathOption classes = new ClassPathOption();

  @Mixin JsonOption form = new JsonOption();

  @Override
  public Integer call() {
    if (cluster.isPresent() == config.isPresent()) {
      throw new RunException("Name what to examine: " + EXAMINED);
    }
    Optional<RunFolder> run = cluster.flatMap(name -> RunFolder.search(runs, name));
    if (run.isPresent()) {
      return ofRun(run.get());
    }
    Duration observed = Duration.ofMillis((long) (1e3 * seconds()));
    ClassPathOption.mustExist("--classpath", classes.classPath);
    Catalogue catalogue = Home.catalogue();
    Experiment experiment = experiment(catalogue);
    PlannedRun planned =
        PlannedRun.of(
            Planner.plan(experiment, catalogue),
            RunCommand.drivers(catalogue, experiment),
            List.of(),
            classes.classPath);
    if (experiment.testbed().attach().isEmpty()) {
      throw new RunException(
          "%s attaches to no cluster: add 'attach' to its grid, or name the addresses of a cluster."
              .formatted(cluster.orElse("")));
    }
    if (config.isEmpty()) {
      form.people(spec.commandLine())
          .println(
              "Joining the cluster, then observing it for %d s …".formatted(observed.toSeconds()));
    }
    HealthReport report =
        RunPreparation.examine(planned, Home.distribution(), observed, config.isPresent());
    PrintWriter out = form.people(spec.commandLine());
    text(out).print(report);
    if (prove) {
      prove(out, new DoctorProof(spec.commandLine(), out, planned, runs, within), report);
    }
    form.print(spec.commandLine(), report);
    return code(List.of(report));
  }

  private int ofRun(RunFolder run) {
    if (prove) {
      throw new RunException(
          "The grids of a run have ended: --prove needs a cluster that runs, or an experiment that"
              + " attaches to one.");
    }
    RunRecord record = RunRecord.load(run);
    List<HealthReport> ofTrials = RunChecks.make(record).stream().toList();
    List<Examination> examinations = new ArrayList<>();
    ofTrials.forEach(report -> examinations.add(new Examination(Map.of(), report)));
    for (Examination grid : run.examinations()) {
      examinations.add(new Examination(grid.levels(), grid.report().besides(ofTrials)));
    }
    examinations.sort(Comparator.comparing(each -> each.report().diagnoses().isEmpty()));
    if (examinations.isEmpty()) {
      throw new RunException(
          "%s has no trial that a check could judge: it needs load trials that write, 'telemetry: [profile]', or the analysis 'diagnoses' with a driver that has checks."
              .formatted(run.path()));
    }
    PrintWriter out = form.people(spec.commandLine());
    for (Examination examination : examinations) {
      if (!examination.levels().isEmpty()) {
        out.println();
        out.println(Labels.of(examination.levels(), ""));
      }
      text(out).print(examination.report());
    }
    form.print(spec.commandLine(), examinations);
    return code(examinations.stream().map(Examination::report).toList());
  }

  /**
   * Whether the reports have problems or risks that are not accepted.
   *
   * @throws RunException if a check that is accepted does not exist
   */
  int code(List<HealthReport> reports) {
    Set<String> checks =
        reports.stream()
            .flatMap(DoctorCommand::checks)
            .collect(Collectors.toCollection(TreeSet::new));
    for (String name : accepted) {
      if (!checks.contains(name)) {
        throw new RunException(
            "--except names '%s', which is no check%s; --all names them."
                .formatted(
                    name,
                    SpellingSuggestion.to(name, checks)
                        .map(right -> " (did you mean '" + right + "'?)")
                        .orElse("")));
      }
    }
    return reports.stream()
            .flatMap(report -> report.diagnoses().stream())
            .allMatch(
                found -> found.severity() == Severity.ADVICE || accepted.contains(found.check()))
        ? Main.OK
        : Main.TRIALS_NOT_RIGHT;
  }

  private static Stream<String> checks(HealthReport report) {
    return Stream.of(
            report.healthy().stream(),
            report.notMade().keySet().stream(),
            report.diagnoses().stream().map(Diagnosis::check))
        .flatMap(names -> names);
  }

  HealthReportText text(PrintWriter out) {
    return new HealthReportText(out, all, accepted);
  }

  private String driver(Catalogue catalogue) {
    List<String> able =
        catalogue.drivers().values().stream()
            .filter(each -> each.capabilities().contains(DriverDescription.DOCTOR))
            .map(DriverDescription::name)
            .toList();
    return driver
        .or(() -> able.stream().findFirst())
        .filter(able::contains)
        .orElseThrow(
            () ->
                new RunException(
                    "The driver '%s' has no checks; drivers that have: %s."
                        .formatted(driver.orElse("none"), String.join(", ", able))));
  }

  private double seconds() {
    double seconds = ExperimentOptions.seconds("--for", length);
    if (seconds < SHORTEST_SECONDS) {
      throw new RunException(
          "--for %s is too short to tell anything: observe for %d s or more."
              .formatted(length, SHORTEST_SECONDS));
    }
    return seconds;
  }

  private Experiment experiment(Catalogue catalogue) {
    Path here = Path.of("");
    if (config.isPresent()) {
      String file = config.get().toAbsolutePath().toString();
      if (!Files.isReadable(config.get())) {
        throw new RunException("There is no file '%s' that can be read.".formatted(config.get()));
      }
      String config = ", config: \"" + file + "\"";
      return ExperimentReader.read(
          GRID.formatted(driver(catalogue), Experiment.Testbed.BY_CONFIG, config),
          "doctor",
          here,
          catalogue);
    }
    String name = cluster.orElseThrow();
    Path file = Path.of(name);
    if (Files.exists(file)) {
      notExamined(file)
          .ifPresent(
              what -> {
                throw new RunException("'%s' is %s: name %s".formatted(name, what, EXAMINED));
              });
    } else if (name.matches("\\d+(\\.\\d+){3}|localhost")) {
      throw new RunException(
          "The address %s has no port: name the port of discovery too, as %s:PORT."
              .formatted(name, name));
    }
    return name.matches("[^/]*:\\d+(\\.\\.\\d+)?(,.*)?") && !Files.exists(file)
        ? ExperimentReader.read(
            GRID.formatted(driver(catalogue), name, ""), "doctor", here, catalogue)
        : ExperimentReader.read(name, catalogue);
  }

  /** What a file or folder is that doctor cannot examine; empty for an experiment. */
  private static Optional<String> notExamined(Path file) {
    if (Files.isDirectory(file)) {
      return Optional.of("a folder without a run");
    }
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(LOOK_AT_BYTES), StandardCharsets.ISO_8859_1);
      if (EXPERIMENT.matcher(text).find()) {
        return Optional.empty();
      }
      return Optional.of(
          text.startsWith("<")
              ? HTML.matcher(text).find() ? "an HTML page" : "an XML file"
              : "no experiment, as it lacks the key 'pyrometer'");
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static void prove(PrintWriter out, DoctorProof proofs, HealthReport report) {
    Map<Diagnosis, DoctorProof.Proof> proven = new LinkedHashMap<>();
    report.diagnoses().stream()
        .filter(DoctorProof::possible)
        .limit(PROOFS)
        .forEach(
            found -> {
              out.println();
              HealthReportText.paragraph(out, "", "Measuring the action of: " + found.symptom());
              proven.put(found, proofs.prove(report, found));
            });
    out.println();
    if (proven.isEmpty()) {
      out.println("No experiment can measure these actions.");
    }
    proven.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getValue().helps().equals(Optional.of(false))))
        .forEach(
            entry -> {
              String verdict =
                  entry
                      .getValue()
                      .helps()
                      .map(helps -> helps ? "The action helps" : "The action does not help")
                      .orElse("It is not shown whether the action helps");
              HealthReportText.paragraph(out, "", verdict + ": " + entry.getKey().action());
              entry
                  .getValue()
                  .sentences()
                  .forEach(text -> HealthReportText.paragraph(out, "  ", text));
            });
    out.flush();
  }

  /**
   * Prints a report of {@code doctor} for people.
   *
   * @param all whether the checks that found nothing are named
   * @param accepted names of checks whose findings are marked as accepted
   */
  private record HealthReportText(PrintWriter out, boolean all, List<String> accepted) {
    private static final int WIDTH = 100;

    void print(HealthReport report) {
      out.println();
      out.println(
          report.seconds() > 0
              ? String.format(
                  Locale.ROOT, "%s, observed for %.0f s.", report.subject(), report.seconds())
              : report.subject() + ".");
      int number = 0;
      for (Diagnosis found : report.diagnoses()) {
        out.println();
        String severity =
            found.severity() + (accepted.contains(found.check()) ? " (accepted)" : "");
        paragraph(out, ++number + ". ", severity + ": " + found.symptom());
        found.impact().ifPresent(measured -> entry(out, "measured", measured));
        entry(
            out,
            "evidence",
            found.evidence().stream()
                .map(HealthReportText::text)
                .collect(Collectors.joining("; ")));
        entry(out, "cause", found.cause());
        entry(out, "do", found.action());
        found.change().forEach(line -> out.println("             " + line));
        entry(out, "needs", found.needs().words());
        found.loses().ifPresent(lost -> entry(out, "gives up", lost));
        entry(out, "see", found.check() + ", " + found.source());
      }
      out.println();
      if (report.diagnoses().isEmpty()) {
        out.println("Nothing was found.");
      }
      paragraph(out, "", "Checked and healthy: " + healthy(report.healthy()));
      Map<String, List<String>> reasons = new TreeMap<>();
      report
          .notMade()
          .forEach((check, why) -> reasons.computeIfAbsent(why, w -> new ArrayList<>()).add(check));
      reasons.forEach(
          (why, checks) ->
              paragraph(out, "", "Not checked, because " + why + ": " + sorted(checks) + "."));
      out.flush();
    }

    private String healthy(List<String> checks) {
      return all
          ? String.join(", ", checks) + " (the driver's page in docs/ describes each)."
          : Figures.count(checks.size(), "check")
              + " (--all names them, and the driver's page in docs/ describes each).";
    }

    private static String sorted(List<String> names) {
      return names.stream().sorted().collect(Collectors.joining(", "));
    }

    private static String text(Evidence evidence) {
      return "%s = %s (%s)".formatted(evidence.what(), evidence.value(), evidence.where());
    }

    private static void entry(PrintWriter out, String name, String text) {
      paragraph(out, "   %-9s ".formatted(name), text);
    }

    static void paragraph(PrintWriter out, String head, String text) {
      String indent = " ".repeat(head.length());
      int width = Math.min(WIDTH, Console.columns()) - head.length();
      out.println(head + Console.wrapped(text, width).replace("\n", "\n" + indent));
    }
  }

  /**
   * Measures what the actions of diagnoses change: on clusters that are started for it, with caches
   * and records like those of the cluster that was examined, which is left alone.
   */
  private static final class DoctorProof {
    private static final String LIKE =
        """
        pyrometer: 1
        name: doctor-proof
        question: What does the change change?
        grid: {driver: %s}
        workload: {record: stock-order, records: 20000, path: put-all}
        """;

    private static final long RECORDS = 100_000;
    private static final int LOOKED_AT = 1_000;

    private final CommandLine line;
    private final PrintWriter out;
    private final PlannedRun examined;
    private final Path runs;
    private final String within;

    /**
     * @param out receives the progress
     * @param examined how the cluster is reached
     * @param within the longest time for one action
     */
    DoctorProof(CommandLine line, PrintWriter out, PlannedRun examined, Path runs, String within) {
      this.line = line;
      this.out = out;
      this.examined = examined;
      this.runs = runs;
      this.within = within;
    }

    /**
     * What an action changed.
     *
     * @param sentences a sentence for each access path, or why nothing could be measured
     * @param helps whether something became better and nothing worse; empty if that is not known
     */
    record Proof(List<String> sentences, Optional<Boolean> helps) {}

    /** Whether an experiment can measure the action. */
    static boolean possible(Diagnosis found) {
      return !found.comparison().changed().isEmpty();
    }

    /** Measures the action of a diagnosis; takes minutes. */
    Proof prove(HealthReport report, Diagnosis found) {
      CompareCommand.Interleave options = new CompareCommand.Interleave();
      options.within = Optional.of(within);
      options.set.add("nodes=" + report.servers());
      options.setA.addAll(settings(found.comparison().now()));
      options.setB.addAll(settings(found.comparison().changed()));
      try {
        RunComparison measured =
            new InterleavedRun(line, out, runs, new AttachedGrid())
                .measure(
                    List.of(experiment(report, found).toString()), options, JudgedMetrics.USUAL);
        List<String> sentences =
            ComparisonPage.effects(measured).stream().map(Finding::sentence).toList();
        return sentences.isEmpty()
            ? new Proof(List.of("No trial of both was valid."), Optional.empty())
            : new Proof(sentences, measured.helps());
      } catch (RunException failure) {
        return new Proof(List.of(String.valueOf(failure.getMessage())), Optional.empty());
      }
    }

    private static List<String> settings(Map<String, String> values) {
      return values.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).sorted().toList();
    }

    /** Writes an experiment like the cache that the diagnosis is of, or like any of the cluster. */
    private Path experiment(HealthReport report, Diagnosis found) {
      Catalogue catalogue = Home.catalogue();
      DriverDescription driver = examined.driver(examined.groups().get(0).settings());
      String text = LIKE.formatted(driver.name());
      Experiment like = ExperimentReader.read(text, "doctor", Path.of(""), catalogue);
      List<String> candidates =
          Stream.concat(
                  found.evidence().stream().map(HealthReport.Evidence::where),
                  report.caches().stream())
              .filter(report.caches()::contains)
              .distinct()
              .toList();
      for (String cache : candidates) {
        Optional<CacheSample> sample = sample(cache);
        if (sample.isPresent()) {
          text = SampledExperiment.of(sample.get(), cache, like, driver, RECORDS);
          break;
        }
      }
      try {
        return Files.writeString(
            Files.createDirectories(runs.resolve("doctor")).resolve(found.check() + ".yaml"), text);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    /** Empty for a cache without records, or with records that cannot be made again. */
    private Optional<CacheSample> sample(String cache) {
      try {
        return Optional.of(RunPreparation.sample(examined, Home.distribution(), cache, LOOKED_AT));
      } catch (RunException notPossible) {
        return Optional.empty();
      }
    }
  }
}
