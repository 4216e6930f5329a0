package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.Published;
import io.pyrometer.experiment.model.Replication;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.GridReader.Grid;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedLevel;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Puts an experiment together from the parts of its file. */
final class ExperimentAssembly {

  private static final String TELEMETRY = CoreSettings.TELEMETRY.name();
  private static final String EQUAL = "equal";
  private static final List<String> KEYS =
      List.of(
          "pyrometer",
          "name",
          "question",
          "grid",
          "workload",
          EQUAL,
          "cases",
          "factors",
          "design",
          "blocks",
          "replicates",
          "seed",
          TELEMETRY,
          "analyses",
          "probes",
          "thresholds",
          "quick",
          "published",
          "full",
          "hosts");
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
  private static final long BIGGEST = 1L << 53;
  static final SettingDescription SEED =
      SettingDescription.integer(
          "seed", Scope.LOAD, 1, -BIGGEST, BIGGEST, "Seed of the order of trials and of the data.");

  private final Catalogue catalogue;
  private final Path folder;
  private final Problems problems;

  ExperimentAssembly(Catalogue catalogue, Path folder, Problems problems) {
    this.catalogue = catalogue;
    this.folder = folder;
    this.problems = problems;
  }

  /** Empty only if there is a problem. */
  Optional<Experiment> read(YamlNode node, String text) {
    if (!(node instanceof YamlNode.Keys)) {
      problems.add(node.at(), "an experiment must be a map; begin it with 'pyrometer: 1'.");
      return Optional.empty();
    }
    YamlMap file = YamlMap.of(node, "an experiment", KEYS, problems);
    checkVersion(file);
    String name = name(file);
    String question =
        file.required("question", "what the experiment is to answer").map(Scalar::text).orElse("");
    List<Scalar> analyses = analyses(file);
    List<ProbeKind> probes = probes(file);
    List<Threshold> thresholds = thresholds(file);
    Replication replication = ReplicationReader.read(file, problems);
    long seed = seed(file);
    Optional<Grid> grid =
        file.requiredNode("grid", "one such as {driver: NAME}")
            .flatMap(part -> new GridReader(catalogue, folder, problems).read(part, file));
    Optional<Workload> workload =
        file.requiredNode("workload", "one such as {record: stock-order}")
            .map(part -> workload(file, part));
    if (grid.isEmpty() || workload.isEmpty()) {
      return Optional.empty();
    }
    ParsedExperiment parsed = parsed(file, grid.get(), workload.get());
    checkKillable(file, probes, grid.get());
    new ExperimentValidation(parsed, grid.get().vocabulary(), problems).check(analyses);
    Treatments treatments = parsed.treatments();
    VariantsReader variantsReader = new VariantsReader(file, problems);
    Variants variants = variantsReader.read();
    Optional<Published> published = published(file, treatments);
    List<Host> hosts = hosts(file, grid.get());
    HostReader.checkNetwork(treatments, hosts, parsed.end(), problems);
    return parsed
        .record()
        .filter(record -> problems.none())
        .map(
            record ->
                new Experiment(
                    name,
                    question,
                    new Testbed(grid.get().config(), grid.get().attach(), hosts),
                    record,
                    treatments,
                    new Options(
                        replication,
                        seed,
                        analyses.stream().map(Scalar::text).toList(),
                        probes,
                        thresholds),
                    variants,
                    published,
                    text))
        .map(experiment -> variantsReader.checked(experiment, catalogue));
  }

  private void checkVersion(YamlMap file) {
    file.required("pyrometer", "the version of the form, 1")
        .filter(version -> !version.text().equals("1"))
        .ifPresent(
            version ->
                problems.add(
                    version.at(),
                    "the form '" + version.text() + "' is unknown; write 'pyrometer: 1'."));
  }

  private String name(YamlMap file) {
    Optional<Scalar> name = file.required("name", "one such as my-experiment");
    name.filter(scalar -> !NAME.matcher(scalar.text()).matches())
        .ifPresent(
            scalar ->
                problems.add(
                    scalar.at(),
                    "'%s' is not a valid name for an experiment; use small letters, digits and hyphens."
                        .formatted(scalar.text())));
    return name.map(Scalar::text).orElse("");
  }

  private long seed(YamlMap file) {
    Optional<Scalar> scalar = file.scalar(SEED.name());
    Optional<Object> value = scalar.flatMap(s -> SettingText.parse(SEED, s.text()));
    if (scalar.isPresent() && value.isEmpty()) {
      problems.add(scalar.get().at(), SettingText.sentence(SEED, scalar.get().text()));
    }
    return ((Number) value.or(SEED::initial).orElseThrow()).longValue();
  }

  private List<Scalar> analyses(YamlMap file) {
    return file.node("analyses")
        .map(node -> YamlMap.names(node, "analysis", "analyses", catalogue.analyses(), 1, problems))
        .orElse(List.of(new Scalar(Position.START, AnalysisDeclaration.RANKING, false)));
  }

  private List<ProbeKind> probes(YamlMap file) {
    List<String> words =
        Stream.of(ProbeKind.values()).map(kind -> kind.name().toLowerCase(Locale.ROOT)).toList();
    return file.node("probes")
        .map(node -> YamlMap.names(node, "probe", "probes", words, 0, problems))
        .map(
            names ->
                names.stream()
                    .map(Scalar::text)
                    .filter(words::contains)
                    .map(word -> ProbeKind.valueOf(word.toUpperCase(Locale.ROOT)))
                    .toList())
        .orElse(List.of(ProbeKind.ORDER));
  }

  private List<Threshold> thresholds(YamlMap file) {
    List<Threshold> thresholds = new ArrayList<>();
    file.node("thresholds").stream()
        .flatMap(
            node -> node instanceof YamlNode.Items list ? list.nodes().stream() : Stream.of(node))
        .flatMap(node -> YamlMap.scalar("a threshold", node, problems).stream())
        .forEach(
            scalar ->
                Threshold.parse(scalar.text())
                    .ifPresentOrElse(
                        thresholds::add,
                        () ->
                            problems.add(
                                scalar.at(),
                                "'%s' is not a threshold; write one such as 'p99(get) < 5ms' or 'throughput > 100k'."
                                    .formatted(scalar.text()))));
    return thresholds;
  }

  private List<Host> hosts(YamlMap file, Grid grid) {
    List<Host> hosts =
        file.node("hosts").map(part -> HostReader.read(part, problems)).orElse(List.of());
    if (hosts.contains(Host.NAMESPACES) && grid.attach().isPresent()) {
      file.position("hosts")
          .ifPresent(
              at ->
                  problems.add(
                      at, "a running grid cannot be reached from namespaces; leave 'hosts' out."));
    }
    return hosts;
  }

  private Optional<Published> published(YamlMap file, Treatments treatments) {
    List<Treatment> all = treatments.atMost() > Treatments.MOST ? List.of() : treatments.expand();
    return file.node("published").flatMap(node -> new PublishedReader(all, problems).read(node));
  }

  private void checkKillable(YamlMap file, List<ProbeKind> probes, Grid grid) {
    if (probes.contains(ProbeKind.KILL) && grid.noServers().isPresent()) {
      file.position("probes")
          .ifPresent(
              at ->
                  problems.add(
                      at,
                      "the probe 'kill' ends a node that Pyrometer started, and it starts none"
                          + " here; take it out of 'probes'."));
    }
  }

  private record Workload(YamlNode node, YamlMap map, Optional<RecordShape> record) {}

  private static boolean has(YamlMap map, String key) {
    return map.pairs().stream().anyMatch(pair -> pair.key().text().equals(key));
  }

  /** The kind whose key every case has, so that the file need not describe a record. */
  private static Optional<TrialKind> kindOfCases(YamlNode cases) {
    return TrialKinds.all().stream()
        .filter(
            kind ->
                cases instanceof YamlNode.Keys keys
                    && !keys.pairs().isEmpty()
                    && keys.pairs().stream()
                        .allMatch(
                            each ->
                                each.value() instanceof YamlNode.Keys settings
                                    && settings.value(kind.key()).isPresent()))
        .findFirst();
  }

  private Workload workload(YamlMap file, YamlNode node) {
    YamlMap map = YamlMap.open(node, "'workload'", problems);
    if (map.node("record").isEmpty()) {
      if (has(map, CoreSettings.EXISTING_CACHE.name())) {
        return new Workload(node, map, Optional.of(RecordShape.OF_EXISTING));
      }
      Optional<TrialKind> kind =
          TrialKinds.all().stream()
              .filter(each -> has(map, each.key()))
              .findFirst()
              .or(() -> file.node("cases").flatMap(ExperimentAssembly::kindOfCases));
      if (kind.isPresent()) {
        return new Workload(node, map, kind.map(TrialKind::record));
      }
    }
    Optional<RecordShape> record =
        node instanceof YamlNode.Keys
            ? map.requiredNode("record", "one such as stock-order").flatMap(this::record)
            : Optional.empty();
    return new Workload(node, map, record);
  }

  private Optional<RecordShape> record(YamlNode node) {
    if (!(node instanceof Scalar)) {
      return new RecordReader(problems).read(node);
    }
    return YamlMap.scalar("'record'", node, problems).flatMap(this::shipped);
  }

  private Optional<RecordShape> shipped(Scalar name) {
    Optional<RecordShape> record = Optional.ofNullable(catalogue.records().get(name.text()));
    if (record.isEmpty()) {
      problems.add(
          name.at(),
          "unknown record '"
              + name.text()
              + "'; "
              + SpellingSuggestion.hint(name.text(), catalogue.records().keySet()));
    }
    return record;
  }

  private ParsedExperiment parsed(YamlMap file, Grid grid, Workload workload) {
    Vocabulary vocabulary = grid.vocabulary();
    SettingsReader reader = new SettingsReader(vocabulary, problems);
    Placed load = reader.read(workload.map(), "the workload", List.of("record"));
    load.at()
        .forEach(
            (name, at) -> {
              if (grid.settings().at().containsKey(name)) {
                problems.add(at, "'" + name + "' is set in the grid and here; keep one of them.");
              }
            });
    Placed given = grid.settings().with(load);
    Placed telemetry = telemetry(file, reader);
    telemetry
        .at()
        .forEach(
            (name, at) -> {
              if (given.settings().has(name)) {
                problems.add(
                    at,
                    "'%s' is set in the grid or the workload and here; keep one of them."
                        .formatted(name));
              }
            });
    Placed equal = file.node(EQUAL).map(node -> reader.equalTerms(node)).orElse(Placed.NOTHING);
    FactorReader levels = new FactorReader(vocabulary, problems);
    int before = problems.count();
    List<PlacedLevel> cases = file.node("cases").map(levels::cases).orElse(List.of());
    List<PlacedFactor> factors = file.node("factors").map(levels::factors).orElse(List.of());
    boolean pathMayBeLost = problems.count() > before;
    checkCaseName(cases, factors);
    Design design =
        file.node("design")
            .map(node -> new DesignReader(cases, factors, problems).read(node))
            .orElseGet(Design.Full::new);
    return new ParsedExperiment(
        given.with(telemetry).with(equal),
        cases,
        factors,
        design,
        workload.record(),
        grid.noServers(),
        grid.attach().isPresent(),
        pathMayBeLost,
        file.position("factors").orElse(workload.node().at()));
  }

  /** The key {@code telemetry} is the setting of this name. */
  private Placed telemetry(YamlMap file, SettingsReader reader) {
    return file.node(TELEMETRY)
        .flatMap(
            node ->
                reader.scalar(CoreSettings.TELEMETRY.description(), "'" + TELEMETRY + "'", node))
        .map(scalar -> reader.value(TELEMETRY, scalar))
        .orElse(Placed.NOTHING);
  }

  private void checkCaseName(List<PlacedLevel> cases, List<PlacedFactor> factors) {
    for (PlacedFactor factor : factors) {
      if (!cases.isEmpty() && factor.name().equals(Treatments.CASE)) {
        problems.add(factor.at(), "'case' is the factor of the cases; rename this one.");
      }
    }
  }
}
