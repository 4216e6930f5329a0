package io.pyrometer.experiment.yaml;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.Published;
import io.pyrometer.experiment.model.Replication;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.TuneSection;
import io.pyrometer.experiment.yaml.GridReader.Grid;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedLevel;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts an experiment together from the parts of its file. */
final class ExperimentAssembly {

  private static final String TELEMETRY = CoreSettings.TELEMETRY.name();
  private static final Pattern PRECISION =
      Pattern.compile(
          "until\\s+([\\d.]+)\\s*%\\s*\\(?(?:min\\s+(\\d+))?\\s*,?\\s*(?:max\\s+(\\d+))?.*");

  private final Catalogue catalogue;
  private final Path folder;
  private final Problems problems;
  private final Form form;

  ExperimentAssembly(Catalogue catalogue, Path folder, Problems problems) {
    this.catalogue = catalogue;
    this.folder = folder;
    this.problems = problems;
    this.form = new Form(problems);
  }

  /** Empty only if there is a problem. */
  Optional<Experiment> read(YamlNode file, String text) {
    if (!(file instanceof YamlNode.Keys)) {
      problems.add(file.at(), "an experiment must be a map; begin it with 'pyrometer: 1'.");
      return Optional.empty();
    }
    form.check(file);
    boolean formed = problems.none();
    List<Threshold> thresholds = thresholds(file);
    Replication replication = replication(file);
    Optional<Grid> found =
        file.value("grid")
            .flatMap(part -> new GridReader(catalogue, folder, problems).read(part, file));
    Optional<YamlNode> workload = file.value("workload");
    if (found.isEmpty() || workload.isEmpty()) {
      return Optional.empty();
    }
    Grid grid = found.get();
    ParsedExperiment parsed = parsed(file, grid, workload.get(), formed);
    List<Requirement> require = require(file);
    Optional<TuneSection> tune =
        file.value("tune").map(node -> new TuneReader(grid.vocabulary(), problems).read(node));
    List<ProbeKind> probes = probes(file, grid, require);
    List<Scalar> analyses = file.scalars("analyses");
    new ExperimentValidation(parsed, grid.vocabulary(), problems).check(analyses);
    Treatments treatments = parsed.treatments();
    List<Treatment> all = treatments.atMost() > Treatments.MOST ? List.of() : treatments.expand();
    Optional<Published> published =
        file.value("published").map(node -> PublishedReader.read(node, all, problems));
    List<Host> hosts =
        file.value("hosts").map(part -> new HostReader(problems).read(part)).orElse(List.of());
    if (hosts.contains(Host.NAMESPACES) && grid.attach().isPresent()) {
      report(file, "hosts", "a running grid cannot be reached from namespaces; leave 'hosts' out.");
    }
    HostReader.checkNetwork(treatments, hosts, grid.vocabulary(), parsed.end(), problems);
    if (!require.isEmpty()
        && all.stream()
            .flatMap(each -> grid.vocabulary().path(each.settings()).stream())
            .anyMatch(path -> !path.job().isLoad())) {
      report(
          file,
          "require",
          "these trials use no access paths that declare guarantees; leave it out.");
    } else if (problems.none()) {
      RequireValidation.unmet(require, all, grid.vocabulary(), grid.attach().isPresent())
          .ifPresent(sentence -> report(file, "require", sentence));
    }
    if (!problems.none()) {
      return Optional.empty();
    }
    Experiment experiment =
        new Experiment(
            file.textOf("name").orElseThrow(),
            file.textOf("question").orElseThrow(),
            new Testbed(grid.config(), grid.attach(), hosts),
            parsed.record().orElseThrow(),
            treatments,
            new Options(
                replication,
                form.number(file, "seed", "/properties/seed"),
                analyses.isEmpty()
                    ? List.of(AnalysisDeclaration.RANKING)
                    : analyses.stream().map(Scalar::text).toList(),
                probes,
                thresholds,
                require,
                tune),
            VariantsReader.read(file),
            published,
            text);
    VariantsReader.check(experiment, file, catalogue, problems);
    return Optional.of(experiment);
  }

  private void report(YamlNode file, String key, String sentence) {
    file.position(key).ifPresent(at -> problems.add(at, sentence));
  }

  private static List<Requirement> require(YamlNode file) {
    Optional<YamlNode> required = file.value("require");
    return Stream.of(Requirement.values())
        .filter(each -> required.filter(map -> map.hasKey(each.key())).isPresent())
        .toList();
  }

  private List<ProbeKind> probes(YamlNode file, Grid grid, List<Requirement> require) {
    List<ProbeKind> probes =
        file.scalars("probes").stream()
            .flatMap(
                name ->
                    Stream.of(ProbeKind.values())
                        .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(name.text())))
            .toList();
    probes.stream()
        .filter(kind -> kind.endsServer() && grid.noServers().isPresent())
        .findFirst()
        .ifPresent(
            kind ->
                report(
                    file,
                    "probes",
                    "the probe '%s' ends a node that Pyrometer started, and it starts none here; take it out of 'probes'."
                        .formatted(kind.name().toLowerCase(Locale.ROOT))));
    return file.hasKey("probes")
        ? probes
        : Stream.of(ProbeKind.values())
            .filter(kind -> !kind.endsServer() || grid.noServers().isEmpty())
            .filter(
                kind ->
                    kind == ProbeKind.ORDER
                        || require.stream().anyMatch(each -> each.probes().contains(kind)))
            .toList();
  }

  private List<Threshold> thresholds(YamlNode file) {
    List<Threshold> thresholds = new ArrayList<>();
    for (Scalar scalar : file.scalars("thresholds")) {
      Optional<Threshold> threshold = Threshold.parse(scalar.text());
      threshold.ifPresent(thresholds::add);
      if (threshold.isEmpty()) {
        String sentence =
            "'%s' is not a threshold; write one such as 'p99(get) < 5ms', with a unit of time, or 'throughput > 100k'.";
        problems.add(scalar.at(), sentence, scalar.text());
      }
    }
    return thresholds;
  }

  /** Reads {@code blocks} or {@code replicates}, of which a file has at most one. */
  private Replication replication(YamlNode file) {
    Optional<Scalar> replicates = file.scalar("replicates");
    if (replicates.isEmpty()) {
      return new Replication.Fixed((int) form.number(file, "blocks", "/properties/blocks"));
    }
    if (file.hasKey("blocks")) {
      problems.add(
          replicates.get().at(),
          "'blocks' and 'replicates' both say how often to measure; remove one.");
    }
    Matcher precision = PRECISION.matcher(replicates.get().text());
    if (!precision.matches()) {
      return Replication.DEFAULT;
    }
    double width = Double.parseDouble(precision.group(1)) / 100;
    int most = number(precision.group(3), StoppingRule.DEFAULT.cap());
    int least = number(precision.group(2), Math.min(StoppingRule.DEFAULT.first(), most));
    if (width <= 0 || least < 2 || most < least || most > Replication.LIMIT) {
      problems.add(
          replicates.get().at(),
          "'replicates' takes a precision above 0%%, a min of at least 2 and a max from min to %d,"
              + " not %s%% with min %d and max %d; correct it.",
          Replication.LIMIT,
          precision.group(1),
          least,
          most);
      return Replication.DEFAULT;
    }
    return new Replication.UntilPrecise(width, least, most);
  }

  private static int number(@Nullable String digits, int otherwise) {
    return digits == null ? otherwise : Integer.parseInt(digits);
  }

  /** What the workload writes; of a kind of trial that needs no record, the kind's own. */
  private Optional<RecordShape> record(YamlNode file, YamlNode workload) {
    Optional<YamlNode> record = workload.value("record");
    if (record.isEmpty() && workload.hasKey(CoreSettings.EXISTING_CACHE.name())) {
      return Optional.of(RecordShape.OF_EXISTING);
    }
    if (record.isEmpty()) {
      List<Pair> cases = file.pairs("cases");
      Optional<TrialKind> ofKind =
          TrialKinds.all().stream()
              .filter(
                  kind ->
                      workload.hasKey(kind.key())
                          || (!cases.isEmpty()
                              && cases.stream().allMatch(each -> each.value().hasKey(kind.key()))))
              .findFirst();
      if (ofKind.isEmpty() && workload instanceof YamlNode.Keys) {
        problems.add(
            workload.at(), "'record' is missing in 'workload'; give one such as stock-order.");
      }
      return ofKind.map(TrialKind::record);
    }
    Optional<Scalar> name = record.get().scalar();
    if (name.isEmpty()) {
      return record.map(node -> new RecordReader(form, problems).read(node));
    }
    Optional<RecordShape> bundled = Optional.ofNullable(catalogue.records().get(name.get().text()));
    if (bundled.isEmpty()) {
      problems.addUnknown("record", name.get(), catalogue.records().keySet());
    }
    return bundled;
  }

  private ParsedExperiment parsed(YamlNode file, Grid grid, YamlNode workload, boolean formed) {
    SettingsReader reader = new SettingsReader(grid.vocabulary(), problems);
    Placed load = reader.read(workload, "the workload", List.of("record"));
    checkSetOnce(load, grid.settings(), "the grid");
    Placed given = grid.settings().with(load);
    Placed telemetry = reader.one(file, TELEMETRY);
    checkSetOnce(telemetry, given, "the grid or the workload");
    Placed equal =
        file.value("equal")
            .map(node -> reader.prefixed(EqualTerm.PREFIX, node))
            .orElse(Placed.NOTHING);
    int before = problems.count();
    FactorReader levels = new FactorReader(grid.vocabulary(), problems);
    List<PlacedLevel> cases = file.value("cases").map(levels::cases).orElse(List.of());
    List<PlacedFactor> factors = file.value("factors").map(levels::factors).orElse(List.of());
    boolean pathMayBeLost = !formed || problems.count() > before;
    for (PlacedFactor factor : factors) {
      if (!cases.isEmpty() && factor.name().equals(Treatments.CASE)) {
        problems.add(factor.at(), "'case' is the factor of the cases; rename this one.");
      }
    }
    Design design =
        file.value("design")
            .map(node -> new DesignReader(cases, factors, form, problems).read(node))
            .orElseGet(Design.Full::new);
    return new ParsedExperiment(
        given.with(telemetry).with(equal),
        cases,
        factors,
        design,
        record(file, workload),
        grid.noServers(),
        grid.attach().isPresent(),
        pathMayBeLost,
        file.position("factors").orElse(workload.at()));
  }

  private void checkSetOnce(Placed placed, Placed before, String where) {
    placed
        .at()
        .forEach(
            (name, at) -> {
              if (before.settings().has(name)) {
                problems.add(at, "'%s' is set in %s and here; keep one of them.", name, where);
              }
            });
  }
}
