package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.check.TestbedCheck;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.Examination;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.Diagnoses;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer doctor}. */
@Command(name = "doctor", mixinStandardHelpOptions = true)
final class DoctorCommand extends ReportingCommand {
  private static final String GRID =
      """
      pyrometer: 1
      name: doctor
      question: What is wrong?
      grid: {driver: %s, attach: "%s"%s}
      workload: {record: stock-order, records: 1000, path: put}
      """;

  /** Files lie in the folder that is named, or in one for each node. */
  private static final int STATISTICS_DEPTH = 3;

  private static final String EXAMINED =
      "the addresses of a cluster (host:port), an experiment that attaches to one, a run's folder,"
          + " a folder of performance statistics, or --config and a file.";

  private static final DateTimeFormatter RECORDING =
      DateTimeFormatter.ofPattern("'statistics'-yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private static final String QUESTION =
      "Record performance statistics on all nodes of this cluster?";
  private static final String REFUSED =
      "Nothing was recorded: answer y, or use --yes, to record performance statistics.";

  private static final int LOOK_AT_BYTES = 1 << 16;
  private static final int SHORTEST_SECONDS = 5;
  private static final int PROOFS = 3;

  @Parameters(index = "0", arity = "0..1", paramLabel = "CLUSTER")
  Optional<String> cluster = Optional.empty();

  @Option(names = "--config", paramLabel = "FILE")
  Optional<Path> config = Optional.empty();

  @Option(names = "--driver", paramLabel = "NAME")
  Optional<String> driver = Optional.empty();

  @Option(names = "--for", paramLabel = "TIME")
  String length = "30s";

  @Option(names = "--statistics", paramLabel = "TIME")
  Optional<String> recorded = Optional.empty();

  @Option(names = {"-y", "--yes"})
  boolean yes;

  @Option(names = "--prove")
  boolean prove;

  @Option(names = "--within", paramLabel = "TIME")
  String within = "10m";

  @Option(names = "--except", split = ",", paramLabel = "CHECK")
  List<String> accepted = List.of();

  @Option(names = "--verbose")
  boolean verbose;

  @Mixin ClassPathOption classes = new ClassPathOption();

  @Override
  public Integer call() {
    if (cluster.isPresent() == config.isPresent()) {
      throw new RunException("Name what to examine: " + EXAMINED);
    }
    Optional<RunFolder> run = cluster.flatMap(name -> RunFolder.search(runs, name));
    if (run.isPresent()) {
      return ofRun(run.get());
    }
    Optional<Path> file = config.or(this::statistics);
    if (file.isPresent() && (prove || recorded.isPresent())) {
      throw new RunException("--prove and --statistics need a cluster that runs.");
    }
    Duration observed = Duration.ofMillis((long) (1e3 * seconds()));
    classes.mustExist();
    Catalogue catalogue = Home.catalogue();
    Experiment experiment = experiment(catalogue);
    PlannedRun planned = classes.planned(Planner.plan(experiment, catalogue), catalogue);
    if (experiment.testbed().attach().isEmpty()) {
      throw RunException.of(
          "%s attaches to no cluster: add 'attach' to its grid, or name the addresses of a cluster.",
          cluster.orElse(""));
    }
    if (recorded.isPresent() && !yes) {
      if (!Boolean.getBoolean("pyrometer.interactive")) {
        throw new RunException(REFUSED);
      }
      Console.confirm(QUESTION, REFUSED, line().getErr());
    }
    if (file.isEmpty()) {
      people()
          .println(
              "Joining the cluster, then observing it for %d s …".formatted(observed.toSeconds()));
    }
    HealthReport report =
        TestbedCheck.examine(
            planned,
            Home.distribution(),
            observed,
            file,
            recorded.map(time -> runs.resolve(RECORDING.format(Instant.now()))));
    PrintWriter out = people();
    text(out).print(report);
    if (prove) {
      prove(out, new DoctorProof(line(), out, planned, runs, within), report);
    }
    print(report);
    return code(List.of(report));
  }

  /** The folder of performance statistics to examine. */
  private Optional<Path> statistics() {
    return cluster.map(Path::of).filter(Files::isDirectory).filter(DoctorCommand::hasStatistics);
  }

  private static boolean hasStatistics(Path folder) {
    try (Stream<Path> files = Files.walk(folder, STATISTICS_DEPTH)) {
      return files.anyMatch(file -> file.toString().matches(".*\\.prf(\\.gz)?"));
    } catch (IOException | UncheckedIOException unreadable) {
      return false;
    }
  }

  private int ofRun(RunFolder run) {
    if (prove || recorded.isPresent()) {
      throw new RunException(
          "The grids of a run have ended: --prove and --statistics need a cluster that runs.");
    }
    RunRecord record = RunRecord.load(run);
    List<HealthReport> ofTrials = Diagnoses.ofProfiles(record).stream().toList();
    List<Examination> examinations =
        Stream.concat(
                ofTrials.stream().map(report -> new Examination(Map.of(), report)),
                run.examinations().stream()
                    .map(grid -> new Examination(grid.levels(), grid.report().besides(ofTrials))))
            .sorted(Comparator.comparing(each -> each.report().diagnoses().isEmpty()))
            .toList();
    if (examinations.isEmpty()) {
      throw RunException.of(
          "%s has no trial that a check could judge: it needs 'telemetry: [profile]', or the analysis 'diagnoses' with a driver that has checks.",
          run.path());
    }
    PrintWriter out = people();
    for (Examination examination : examinations) {
      if (!examination.levels().isEmpty()) {
        out.println();
        out.println(Labels.of(examination.levels(), ""));
      }
      text(out).print(examination.report());
    }
    print(examinations);
    return code(examinations.stream().map(Examination::report).toList());
  }

  /**
   * The exit code: whether something that is not accepted costs speed or data now.
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
        throw RunException.of(
            "--except names '%s', which is no check%s; --verbose names them.",
            name,
            SpellingSuggestion.to(name, checks)
                .map(right -> " (did you mean '" + right + "'?)")
                .orElse(""));
      }
    }
    return reports.stream()
            .flatMap(report -> report.diagnoses().stream())
            .noneMatch(found -> found.costsNow() && !accepted.contains(found.check()))
        ? Main.OK
        : Main.TRIALS_NOT_RIGHT;
  }

  private static Stream<String> checks(HealthReport report) {
    return Stream.concat(
        report.diagnoses().stream().map(Diagnosis::check),
        Stream.of(report.healthy(), report.unjudged().keySet()).flatMap(Collection::stream));
  }

  HealthReportText text(PrintWriter out) {
    return new HealthReportText(out, verbose, accepted);
  }

  /** An experiment that starts an agent of a driver that has checks; its address is not used. */
  static Experiment reader(Optional<String> driver, Catalogue catalogue) {
    return attaching(able(driver, catalogue), "127.0.0.1:47500", "", catalogue);
  }

  private static Experiment attaching(
      String driver, String address, String more, Catalogue catalogue) {
    return ExperimentReader.read(
        GRID.formatted(driver, address, more), "doctor", Path.of(""), catalogue);
  }

  /** The driver of this name, or the first one, that has checks. */
  private static String able(Optional<String> name, Catalogue catalogue) {
    List<String> able =
        catalogue.drivers().values().stream()
            .filter(each -> each.capabilities().contains(DriverDescription.DOCTOR))
            .map(DriverDescription::name)
            .toList();
    return name.or(() -> able.stream().findFirst())
        .filter(able::contains)
        .orElseThrow(
            () ->
                RunException.of(
                    "The driver '%s' has no checks; drivers that have: %s.",
                    name.orElse("none"), String.join(", ", able)));
  }

  private double seconds() {
    String option = recorded.isPresent() ? "--statistics" : "--for";
    String time = recorded.orElse(length);
    double seconds = ExperimentOptions.seconds(option, time);
    if (seconds < SHORTEST_SECONDS) {
      throw RunException.of(
          "%s %s is too short to tell anything: observe for %d s or more.",
          option, time, SHORTEST_SECONDS);
    }
    return seconds;
  }

  private Experiment experiment(Catalogue catalogue) {
    if (config.isPresent()) {
      String file = config.get().toAbsolutePath().toString();
      if (!Files.isReadable(config.get())) {
        throw RunException.of("There is no file '%s' that can be read.", config.get());
      }
      return attaching(
          able(driver, catalogue),
          Experiment.Testbed.BY_CONFIG,
          ", config: \"" + file + "\"",
          catalogue);
    }
    String name = cluster.orElseThrow();
    Path file = Path.of(name);
    if (statistics().isPresent()) {
      return reader(driver, catalogue);
    }
    boolean exists = Files.exists(file);
    boolean address = !exists && name.matches("[^/]*:\\d+(\\.\\.\\d+)?(,.*)?");
    if (exists && !isExperiment(file)) {
      throw RunException.of(
          "'%s' is neither an experiment, with the key 'pyrometer', nor a run or performance statistics: name %s",
          name, EXAMINED);
    } else if (name.matches("\\d+(\\.\\d+){3}|localhost")) {
      throw RunException.of(
          "The address %s has no port: name the port of discovery too, as %s:PORT.", name, name);
    } else if (!exists && !address && !catalogue.experiments().containsKey(name)) {
      throw RunException.of("There is no '%s': name %s", name, EXAMINED);
    }
    return address
        ? attaching(able(driver, catalogue), name, "", catalogue)
        : ExperimentReader.read(name, catalogue);
  }

  /** Looks at the beginning alone: a log, or an image of a heap, may be large. */
  private static boolean isExperiment(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(LOOK_AT_BYTES), StandardCharsets.ISO_8859_1)
          .lines()
          .anyMatch(line -> line.matches("[\\s{]*[\"']?pyrometer[\"']?\\s*:.*"));
    } catch (IOException unreadable) {
      return !Files.isDirectory(file);
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
              Console.paragraph(out, "", "Measuring the action of: " + found.sentence());
              proven.put(found, proofs.prove(report, found));
            });
    out.println();
    if (proven.isEmpty()) {
      out.println("No experiment can measure these actions.");
    }
    proven.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getValue().helps().equals(Optional.of(false))))
        .forEach(entry -> print(out, entry.getKey(), entry.getValue()));
    out.flush();
  }

  private static void print(PrintWriter out, Diagnosis found, DoctorProof.Proof proof) {
    String verdict =
        proof
            .helps()
            .map(helps -> helps ? "The action helps" : "The action does not help")
            .orElse("It is not shown whether the action helps");
    Console.paragraph(out, "", verdict + ": " + found.remedy().orElse(""));
    proof.sentences().forEach(text -> Console.paragraph(out, "  ", text));
  }
}
