package io.pyrometer.experiment.yaml;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.ExperimentException.Problem;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.Published;
import io.pyrometer.experiment.model.Replication;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.TuneSection;
import io.pyrometer.experiment.model.TuneSection.Limit;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.GridReader.Grid;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedLevel;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.Amount;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.SettingDescription;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads experiment files, and finds every mistake of a file before anything is started. */
public final class ExperimentReader {
  private static final String TELEMETRY = CoreSettings.TELEMETRY.name();
  private static final Pattern PRECISION =
      Pattern.compile(
          "until\\s+([\\d.]+)\\s*%\\s*\\(?(?:min\\s+(\\d+))?\\s*,?\\s*(?:max\\s+(\\d+))?.*");

  private final Catalogue catalogue;
  private final Path folder;
  private final Problems problems;
  private final Form form;

  private ExperimentReader(Catalogue catalogue, Path folder, Problems problems) {
    this.catalogue = catalogue;
    this.folder = folder;
    this.problems = problems;
    this.form = new Form(problems);
  }

  /**
   * Reads a file, or an experiment of the catalogue.
   *
   * @param fileOrName a path, or the name of an experiment if there is no such file
   * @throws ExperimentException with every mistake found
   */
  public static Experiment read(String fileOrName, Catalogue catalogue) {
    Path file = Path.of(fileOrName);
    Optional<String> shipped = Optional.ofNullable(catalogue.experiments().get(fileOrName));
    if (shipped.isPresent() && !Files.isRegularFile(file)) {
      return read(shipped.get(), fileOrName + ".yaml", Path.of(""), catalogue);
    }
    return read(file, catalogue);
  }

  /**
   * Reads a file.
   *
   * @throws ExperimentException with every mistake found
   */
  public static Experiment read(Path file, Catalogue catalogue) {
    Path folder = file.toAbsolutePath().getParent();
    return read(text(file, catalogue), file.toString(), folder == null ? file : folder, catalogue);
  }

  /**
   * The line of each option of the product that a text gives, by its name; the first of several.
   */
  public static Map<String, Integer> linesOfProperties(String text) {
    Map<String, Integer> lines = new TreeMap<>();
    YamlNode.Parser.parse(text, new Problems("")).ifPresent(file -> properties(file, lines));
    return lines;
  }

  private static void properties(YamlNode node, Map<String, Integer> lines) {
    for (Pair pair : node.pairs()) {
      String name = pair.key().text();
      if (name.startsWith(SettingDescription.PROPERTY)) {
        lines.putIfAbsent(
            name.substring(SettingDescription.PROPERTY.length()), pair.key().at().line());
      } else if (SettingDescription.PROPERTY.equals(name + ".")) {
        pair.value()
            .pairs()
            .forEach(each -> lines.putIfAbsent(each.key().text(), each.key().at().line()));
      } else {
        properties(pair.value(), lines);
      }
    }
    node.items().forEach(item -> properties(item, lines));
  }

  /**
   * Reads a text.
   *
   * @param source what problems are reported in
   * @param folder what relative paths in it start from
   * @throws ExperimentException with every mistake found
   */
  public static Experiment read(String text, String source, Path folder, Catalogue catalogue) {
    Problems problems = new Problems(source);
    Optional<Experiment> experiment =
        YamlNode.Parser.parse(text, problems)
            .flatMap(
                node -> new ExperimentReader(catalogue, folder, problems).assemble(node, text));
    problems.throwIfAny();
    return experiment.orElseThrow(
        () -> new IllegalStateException("A file without problems gave no experiment."));
  }

  private static String text(Path file, Catalogue catalogue) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw unreadable(
          file,
          "there is no such file, and no bundled experiment of this name; "
              + SpellingSuggestion.to(file.toString(), catalogue.experiments().keySet())
                  .map(right -> "did you mean '" + right + "'?")
                  .orElse("'pyrometer list' names those that exist."));
    } catch (CharacterCodingException e) {
      throw unreadable(file, "this is not UTF-8 text; save it as such.");
    } catch (IOException e) {
      throw unreadable(file, "this cannot be read; give a file that you may read.");
    }
  }

  private static ExperimentException unreadable(Path file, String sentence) {
    return new ExperimentException(List.of(new Problem(file.toString(), 0, 0, sentence)));
  }

  /** Puts the experiment together from the parts of its file; empty only if there is a problem. */
  private Optional<Experiment> assemble(YamlNode file, String text) {
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
    Optional<TuneSection> tune = file.value("tune").map(node -> tune(node, grid.vocabulary()));
    List<ProbeKind> probes = probes(file, grid, require);
    List<Scalar> analyses = file.scalars("analyses");
    new ExperimentValidation(parsed, grid.vocabulary(), problems).check(analyses);
    Treatments treatments = parsed.treatments();
    List<Treatment> all = treatments.atMost() > Treatments.MOST ? List.of() : treatments.expand();
    Optional<Published> published = file.value("published").map(node -> published(node, all));
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
      TreatmentValidation.unmet(require, all, grid.vocabulary(), grid.attach().isPresent())
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
            variants(file),
            published,
            text);
    checkVariants(experiment, file);
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
    DesignReader levels = new DesignReader(grid.vocabulary(), form, problems);
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
            .map(node -> levels.design(node, cases, factors))
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

  private static Variants variants(YamlNode file) {
    Optional<YamlNode> full = file.value("full");
    return new Variants(
        changes(file.value("quick")),
        changes(full.flatMap(node -> node.value("set"))),
        texts(full.flatMap(node -> node.value("only"))).toList());
  }

  /** Each change as the command line would write it: {@code name=value,…}. */
  private static List<String> changes(Optional<YamlNode> settings) {
    return settings.map(YamlNode::pairs).orElse(List.of()).stream()
        .map(
            pair ->
                texts(Optional.of(pair.value()))
                    .collect(Collectors.joining(",", pair.key().text() + "=", "")))
        .toList();
  }

  private static Stream<String> texts(Optional<YamlNode> node) {
    return node.stream()
        .flatMap(each -> each instanceof Scalar ? Stream.of(each) : each.items().stream())
        .flatMap(each -> each.scalar().stream())
        .map(Scalar::text);
  }

  /** Reports where an experiment is not valid with {@code --quick} or {@code --full}. */
  private void checkVariants(Experiment experiment, YamlNode file) {
    Variants variants = experiment.variants();
    if (!variants.quick().isEmpty()) {
      Overrides quick = new Overrides(true, Optional.empty(), Optional.empty(), List.of());
      checkVariant(file, "quick", "with --quick, ", () -> quick.applyTo(experiment, catalogue));
    }
    if (!variants.full().isEmpty()) {
      checkVariant(
          file, "full", "at full length ", () -> Overrides.atFullLength(experiment, catalogue));
    }
  }

  private void checkVariant(
      YamlNode file, String key, String prefix, Supplier<Experiment> variant) {
    try {
      Experiment unused = variant.get();
    } catch (ExperimentException invalid) {
      invalid.problems().forEach(each -> report(file, key, prefix + each.sentence()));
    }
  }

  /** Published figures; each must be of exactly one treatment. */
  private Published published(YamlNode node, List<Treatment> treatments) {
    List<Published.Figure> figures = new ArrayList<>();
    Set<Map<String, String>> seen = new HashSet<>();
    for (YamlNode item : node.items("figures")) {
      Optional<YamlNode> at = item.value("at");
      Optional<Double> rate = item.textOf("rate").flatMap(ExperimentReader::decimal);
      Optional<Map<String, String>> levels = at.flatMap(a -> treatment(a, treatments));
      if (rate.isPresent() && levels.isPresent()) {
        if (!seen.add(levels.get())) {
          problems.add(item.at(), "this treatment has a published figure already; remove one.");
        }
        figures.add(new Published.Figure(levels.get(), rate.get(), item.textOf("why")));
      }
    }
    return new Published(node.textOf("source").orElse(""), figures);
  }

  private static Optional<Double> decimal(String text) {
    try {
      return Optional.of(Double.valueOf(text.replace("_", "")));
    } catch (NumberFormatException reported) {
      return Optional.empty();
    }
  }

  /** The levels of the one treatment that has those asked for. */
  private Optional<Map<String, String>> treatment(YamlNode at, List<Treatment> treatments) {
    Map<String, String> asked = new LinkedHashMap<>();
    at.pairs()
        .forEach(
            pair -> at.textOf(pair.key().text()).ifPresent(l -> asked.put(pair.key().text(), l)));
    List<Map<String, String>> found =
        treatments.stream()
            .map(Treatment::levels)
            .filter(levels -> levels.entrySet().containsAll(asked.entrySet()))
            .toList();
    if (found.size() == 1) {
      return Optional.of(found.get(0));
    }
    if (found.isEmpty() && !treatments.isEmpty()) {
      problems.add(
          at.at(), "no treatment has these levels; name those of one that 'pyrometer plan' shows.");
    } else if (!found.isEmpty()) {
      Set<String> differing = new TreeSet<>(found.get(0).keySet());
      differing.removeIf(
          factor -> found.stream().map(each -> each.get(factor)).distinct().count() == 1);
      String sentence = "%d treatments have these levels; name that of %s too.";
      problems.add(at.at(), sentence, found.size(), String.join(", ", differing));
    }
    return Optional.empty();
  }

  /** What {@code tune} may vary. */
  private TuneSection tune(YamlNode node, Vocabulary vocabulary) {
    List<String> settings = new ArrayList<>();
    for (Scalar name : node.scalars("settings")) {
      TreeSet<String> known = new TreeSet<>(vocabulary.tunable());
      known.add(TuneSection.ALL);
      if (known.contains(name.text())) {
        settings.add(name.text());
      } else if (vocabulary.setting(name.text()).isPresent()) {
        problems.add(
            name.at(), "'%s' has no levels of its own; name them under 'levels'.", name.text());
      } else {
        problems.addUnknown("setting", name, known);
      }
    }
    Map<String, List<Level>> levels = new LinkedHashMap<>();
    node.pairs("levels").forEach(p -> levels(p, vocabulary, levels));
    List<Limit> limits =
        node.scalars("limits").stream().flatMap(text -> limit(text, vocabulary).stream()).toList();
    if (settings.isEmpty() && levels.isEmpty()) {
      settings.add(TuneSection.ALL);
    }
    return new TuneSection(settings, levels, limits);
  }

  private void levels(Pair pair, Vocabulary vocabulary, Map<String, List<Level>> levels) {
    String name = pair.key().text();
    if (vocabulary.setting(name).isEmpty()) {
      problems.addUnknown("setting", pair.key(), vocabulary.settingNames());
      return;
    }
    SettingsReader reader = new SettingsReader(vocabulary, problems);
    List<Level> own = new ArrayList<>();
    for (YamlNode item : pair.value().items()) {
      item.scalar()
          .map(scalar -> new Level(scalar.text(), reader.value(name, scalar).settings()))
          .filter(level -> own.stream().noneMatch(o -> o.settings().equals(level.settings())))
          .ifPresent(own::add);
    }
    levels.put(name, own);
  }

  /** Such as {@code region + node-heap <= 2g}. */
  private Optional<Limit> limit(Scalar scalar, Vocabulary vocabulary) {
    String[] sides = scalar.text().split("<=", 2);
    if (sides.length != 2) {
      return Optional.empty(); // Form says so
    }
    List<String> names = Stream.of(sides[0].split("\\+", -1)).map(String::strip).toList();
    for (String name : names) {
      if (vocabulary.setting(name).filter(ExperimentReader::isNumber).isEmpty()) {
        String sentence = "'%s' is no setting that has a number; correct the limit.";
        problems.add(scalar.at(), sentence, name);
        return Optional.empty();
      }
    }
    SettingDescription first = vocabulary.setting(names.get(0)).orElseThrow();
    Optional<BigDecimal> most =
        Amount.parse(
            sides[1],
            switch (first.type()) {
              case BYTES -> Amount.BYTES;
              case SECONDS -> Amount.SECONDS;
              default -> Amount.SHARES;
            });
    if (most.isEmpty()) {
      problems.add(scalar.at(), "'%s' is no amount of '%s'; correct it.", sides[1], names.get(0));
    }
    return most.map(amount -> new Limit(names, amount.doubleValue()));
  }

  private static boolean isNumber(SettingDescription setting) {
    return switch (setting.type()) {
      case INTEGER, DECIMAL, BYTES, SECONDS, SHARE, RATE -> true;
      default -> false;
    };
  }
}
