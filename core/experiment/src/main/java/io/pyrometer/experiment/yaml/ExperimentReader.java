package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.Published;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.TuneSection;
import io.pyrometer.experiment.model.TuneSection.Limit;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.ExperimentRules.Parsed;
import io.pyrometer.experiment.yaml.ExperimentRules.Resolved;
import io.pyrometer.experiment.yaml.SettingsReader.Given;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.Amount;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads experiment files, and finds mistakes before anything is started. */
public final class ExperimentReader {
  private static final String DRIVER = CoreSettings.DRIVER.name();

  private final Catalogue catalogue;
  private final YamlNode file;
  private final YamlNode grid;
  private final YamlNode workload;
  private final Vocabulary vocabulary;
  private final SettingsReader settings;
  private final Optional<Path> config;
  private final Optional<String> attach;

  private ExperimentReader(YamlNode file, Path folder, Catalogue catalogue) {
    this.catalogue = catalogue;
    this.file = file;
    this.grid = file.value("grid").orElseThrow();
    this.workload = file.value("workload").orElseThrow();
    Set<String> known = catalogue.drivers().keySet();
    List<String> drivers =
        drivers().stream().map(name -> name.oneOf(known, "driver", "")).distinct().toList();
    grid.refuseIf(drivers.isEmpty(), "grid.no-driver");
    this.vocabulary = catalogue.vocabulary(drivers);
    this.settings = new SettingsReader(vocabulary);
    this.config = source("config").map(name -> config(name, folder));
    Optional<Scalar> address = source("attach");
    if (config.isEmpty() && address.filter(a -> a.text().equals(Testbed.BY_CONFIG)).isPresent()) {
      throw address.get().problem("grid.attach-needs-config");
    }
    this.attach = address.map(one -> one.text().replaceAll("\\s", ""));
  }

  /** Every driver that the grid, a case or a level names. */
  private List<Scalar> drivers() {
    List<Scalar> drivers = new ArrayList<>();
    grid.scalar(DRIVER).ifPresent(drivers::add);
    file.get("cases").pairs().forEach(each -> each.value().scalar(DRIVER).ifPresent(drivers::add));
    for (Pair factor : file.get("factors").pairs()) {
      boolean named = factor.key().text().equals(DRIVER);
      for (YamlNode level : DesignReader.levels(factor)) {
        Optional<Scalar> own = named ? level.scalar() : Optional.empty();
        own.or(() -> level.get("set").scalar(DRIVER)).ifPresent(drivers::add);
      }
    }
    return drivers;
  }

  /** A key of the grid that one driver alone must understand. */
  private Optional<Scalar> source(String key) {
    Collection<String> drivers = vocabulary.driverNames();
    long able =
        drivers.stream()
            .filter(name -> catalogue.driver(name).capabilities().contains(key))
            .count();
    if (able == 0) {
      grid.refuse(key, "grid.not-supported", drivers.iterator().next(), key);
    } else if (able > 1 || (key.equals("attach") && drivers.size() > 1)) {
      grid.refuse(key, "grid.one-driver", key);
    }
    return grid.scalar(key);
  }

  private static Path config(Scalar name, Path folder) {
    try {
      Path file = folder.resolve(name.text()).toAbsolutePath().normalize();
      if (Files.isRegularFile(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // reported below: such a file cannot exist
    }
    throw name.problem("grid.no-such-file", name.text());
  }

  /** The reason why Pyrometer starts no servers, and what to do; empty if it starts them. */
  private Optional<String> noServers() {
    if (attach.isPresent()) {
      return Optional.of(ExperimentException.words("grid.attached"));
    }
    String drivers = String.join("' or '", vocabulary.driverNames());
    return vocabulary.startsServers()
        ? Optional.empty()
        : Optional.of(ExperimentException.words("grid.no-servers", drivers));
  }

  /**
   * Reads a file, or an experiment of the catalogue.
   *
   * @param fileOrName a path, or the name of an experiment if there is no such file
   * @throws ExperimentException with the first mistake found
   */
  public static Experiment read(String fileOrName, Catalogue catalogue) {
    Path file = Path.of(fileOrName);
    String shipped = catalogue.experiments().get(fileOrName);
    return shipped == null || Files.isRegularFile(file)
        ? read(file, catalogue)
        : read(shipped, fileOrName + ".yaml", Path.of(""), catalogue);
  }

  /**
   * Reads a file.
   *
   * @throws ExperimentException with the first mistake found
   */
  public static Experiment read(Path file, Catalogue catalogue) {
    Path folder = file.toAbsolutePath().getParent();
    return read(text(file, catalogue), file.toString(), folder == null ? file : folder, catalogue);
  }

  /**
   * Reads a text.
   *
   * @param source named by messages
   * @param folder of relative paths in it
   * @throws ExperimentException with the first mistake found
   */
  public static Experiment read(String text, String source, Path folder, Catalogue catalogue) {
    YamlNode file = YamlNode.Parser.parse(text, source);
    file.refuseIf(!(file instanceof YamlNode.Keys), "file.not-a-map");
    Form.check(file);
    return new ExperimentReader(file, folder, catalogue).assemble(text);
  }

  private static String text(Path file, Catalogue catalogue) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new ExperimentException(
          file.toString(),
          "there is no such file, and no bundled experiment of this name; "
              + SpellingSuggestion.to(file.toString(), catalogue.experiments().keySet())
                  .map(right -> "did you mean '" + right + "'?")
                  .orElse("'pyrometer list' names those that exist."));
    } catch (IOException e) {
      boolean decoded = !(e instanceof CharacterCodingException);
      throw new ExperimentException(
          file.toString(),
          ExperimentException.words(decoded ? "file.unreadable" : "file.not-utf8"));
    }
  }

  /** Puts the experiment together from the parts of its file. */
  private Experiment assemble(String text) {
    List<Threshold> thresholds =
        file.get("thresholds").scalars().stream().map(ExperimentReader::threshold).toList();
    int blocks = (int) Form.number(file, "blocks", "/properties/blocks");
    Parsed parsed = parsed();
    RecordShape record = record();
    List<Requirement> require = require();
    Optional<TuneSection> tune = file.value("tune").map(this::tune);
    List<ProbeKind> probes = probes(require);
    List<Host> hosts = file.value("hosts").map(HostReader::read).orElse(List.of());
    Testbed testbed = new Testbed(config, attach, hosts);
    List<Scalar> analyses = file.get("analyses").scalars();
    ExperimentRules rules = new ExperimentRules(vocabulary, testbed, record, parsed);
    List<Resolved> all = checked(rules, require, analyses);
    Optional<Published> published = file.value("published").map(node -> published(node, all));
    Experiment experiment =
        new Experiment(
            file.textOf("name").orElseThrow(),
            file.textOf("question").orElseThrow(),
            testbed,
            record,
            parsed.treatments(),
            new Options(
                blocks,
                Form.number(file, "seed", "/properties/seed"),
                analyses.isEmpty()
                    ? List.of(AnalysisDeclaration.RANKING)
                    : file.get("analyses").texts(),
                probes,
                thresholds,
                require,
                tune),
            variants(),
            published,
            text);
    checkVariants(experiment);
    return experiment;
  }

  /** The treatments of the design, all of which can be run and analysed. */
  private List<Resolved> checked(
      ExperimentRules rules, List<Requirement> require, List<Scalar> analyses) {
    rules.checkSetOnce();
    if (rules.record().className().isEmpty()) {
      rules.checkFields();
    }
    List<Resolved> all = rules.checkTreatments();
    rules.checkSettings(all, noServers());
    List<PlannedTreatment> planned =
        all.stream()
            .map(
                each ->
                    new PlannedTreatment(
                        each.treatment().levels(), each.settings(), Optional.of(each.path().job())))
            .toList();
    for (Scalar analysis : analyses) {
      analysis
          .at()
          .refuse(AnalysisDeclaration.find(analysis.text()).flatMap(it -> it.unmet(planned)));
    }
    if (rules.testbed().hosts().contains(Host.NAMESPACES) && attach.isPresent()) {
      file.refuse("hosts", "hosts.attached");
    }
    rules.checkNetwork(all);
    if (all.stream().anyMatch(each -> !each.path().job().isLoad())) {
      file.refuse("require", "require.no-paths");
    }
    file.position("require").ifPresent(at -> at.refuse(rules.unmet(require, all)));
    return all;
  }

  private List<Requirement> require() {
    YamlNode keys = file.get("require");
    return Stream.of(Requirement.values()).filter(each -> keys.hasKey(each.key())).toList();
  }

  private List<ProbeKind> probes(List<Requirement> require) {
    boolean servers = noServers().isEmpty();
    if (!file.hasKey("probes")) {
      Set<ProbeKind> probes = EnumSet.of(ProbeKind.ORDER);
      require.forEach(each -> probes.addAll(each.probes()));
      probes.removeIf(kind -> kind.endsServer() && !servers);
      return List.copyOf(probes);
    }
    List<ProbeKind> probes = new ArrayList<>();
    for (Scalar name : file.get("probes").scalars()) {
      ProbeKind kind = ProbeKind.valueOf(name.text().toUpperCase(Locale.ROOT));
      if (kind.endsServer() && !servers) {
        file.refuse("probes", "probes.needs-servers", name.text());
      }
      probes.add(kind);
    }
    return List.copyOf(probes);
  }

  private static Threshold threshold(Scalar scalar) {
    return Threshold.parse(scalar.text())
        .orElseThrow(() -> scalar.problem("threshold.unknown", scalar.text()));
  }

  /** The record that the workload writes; of a kind of trial that needs none, the kind's own. */
  private RecordShape record() {
    Optional<YamlNode> record = workload.value("record");
    if (record.isEmpty()) {
      if (workload.hasKey(CoreSettings.EXISTING_CACHE.name())) {
        return RecordShape.OF_EXISTING;
      }
      List<Pair> cases = file.get("cases").pairs();
      return TrialKinds.all().stream()
          .filter(
              kind ->
                  workload.hasKey(kind.key())
                      || (!cases.isEmpty()
                          && cases.stream().allMatch(each -> each.value().hasKey(kind.key()))))
          .findFirst()
          .map(TrialKind::record)
          .orElseThrow(() -> workload.problem("record.missing"));
    }
    return record.get() instanceof Scalar name
        ? Optional.ofNullable(catalogue.records().get(name.text()))
            .orElseThrow(() -> name.unknown("record", catalogue.records().keySet(), ""))
        : RecordReader.read(record.get());
  }

  private Parsed parsed() {
    Given ofGrid = settings.read(grid, "the grid", List.of("config", "attach"));
    Given load = settings.read(workload, "the workload", List.of("record"));
    checkSetOnce(load, ofGrid.settings(), "the grid");
    Given given = ofGrid.with(load);
    Given telemetry = settings.one(file, CoreSettings.TELEMETRY.name());
    checkSetOnce(telemetry, given.settings(), "the grid or the workload");
    Given base = given.with(telemetry).with(settings.terms(file.get("equal")));
    DesignReader levels = new DesignReader(settings);
    List<Given> all = new ArrayList<>(List.of(base));
    file.get("cases").pairs().forEach(pair -> all.add(levels.ofCase(pair)));
    List<Level> cases = all.stream().skip(1).map(Given::level).toList();
    List<Factor> factors = new ArrayList<>();
    Map<String, Position> places = new HashMap<>();
    for (Pair pair : file.get("factors").pairs()) {
      String name = pair.key().text();
      pair.key().refuseIf(!cases.isEmpty() && name.equals(Treatments.CASE), "cases.name-taken");
      List<Given> own = levels.factor(pair);
      Optional<Role> role =
          pair.value().textOf("role").map(text -> Role.valueOf(text.toUpperCase(Locale.ROOT)));
      factors.add(new Factor(name, own.stream().map(Given::level).toList(), role));
      places.put(name, pair.key().at());
      all.addAll(own);
    }
    Design design =
        file.value("design")
            .map(node -> DesignReader.design(node, cases, factors, places))
            .orElseGet(Design.Full::new);
    return new Parsed(
        new Treatments(base.settings(), cases, List.copyOf(factors), design),
        all,
        places,
        file.position("factors").orElse(workload.at()));
  }

  private static void checkSetOnce(Given placed, Settings before, String where) {
    placed
        .at()
        .forEach((name, at) -> at.refuseIf(before.has(name), "setting.set-twice", name, where));
  }

  private Variants variants() {
    YamlNode full = file.get("full");
    return new Variants(
        changes(file.get("quick")), changes(full.get("set")), full.get("only").texts());
  }

  /** Each change as the command line would write it: {@code name=value,…}. */
  private static List<String> changes(YamlNode settings) {
    return settings.pairs().stream()
        .map(pair -> pair.key().text() + "=" + String.join(",", pair.value().texts()))
        .toList();
  }

  /** Refuses an experiment that is not valid with {@code --quick} or {@code --full}. */
  private void checkVariants(Experiment experiment) {
    Variants variants = experiment.variants();
    if (!variants.quick().isEmpty()) {
      Overrides quick = new Overrides(true, Optional.empty(), Optional.empty(), List.of());
      checkVariant("quick", "with --quick, ", () -> quick.applyTo(experiment, catalogue));
    }
    if (!variants.full().isEmpty()) {
      checkVariant("full", "at full length ", () -> Overrides.atFullLength(experiment, catalogue));
    }
  }

  private void checkVariant(String key, String prefix, Supplier<Experiment> variant) {
    try {
      Experiment unused = variant.get();
    } catch (ExperimentException invalid) {
      throw file.position(key).orElseThrow().says(prefix + invalid.sentence());
    }
  }

  /** Published figures; each must be of exactly one treatment. */
  private static Published published(YamlNode node, List<Resolved> treatments) {
    List<Published.Figure> figures = new ArrayList<>();
    Set<Map<String, String>> seen = new HashSet<>();
    for (YamlNode item : node.get("figures").items()) {
      Map<String, String> levels = treatment(item.value("at").orElseThrow(), treatments);
      item.refuseIf(!seen.add(levels), "published.twice");
      double rate = Double.parseDouble(item.textOf("rate").orElseThrow().replace("_", ""));
      figures.add(new Published.Figure(levels, rate, item.textOf("why")));
    }
    return new Published(node.textOf("source").orElseThrow(), figures);
  }

  /** The levels of the one treatment that has the given ones. */
  private static Map<String, String> treatment(YamlNode at, List<Resolved> treatments) {
    Map<String, String> asked = new LinkedHashMap<>();
    at.pairs().forEach(p -> p.value().scalar().ifPresent(l -> asked.put(p.key().text(), l.text())));
    List<Map<String, String>> found =
        treatments.stream()
            .map(each -> each.treatment().levels())
            .filter(levels -> levels.entrySet().containsAll(asked.entrySet()))
            .toList();
    at.refuseIf(found.isEmpty(), "published.no-treatment");
    Set<String> differing = new TreeSet<>(found.get(0).keySet());
    differing.removeIf(
        factor -> found.stream().map(each -> each.get(factor)).distinct().count() == 1);
    String names = String.join(", ", differing);
    at.refuseIf(found.size() > 1, "published.several", found.size(), names);
    return found.get(0);
  }

  /** The settings that {@code tune} may vary. */
  private TuneSection tune(YamlNode node) {
    List<String> names = new ArrayList<>();
    TreeSet<String> known = new TreeSet<>(vocabulary.tunable());
    known.add(TuneSection.ALL);
    for (Scalar name : node.get("settings").scalars()) {
      boolean unlisted =
          !known.contains(name.text()) && vocabulary.setting(name.text()).isPresent();
      name.refuseIf(unlisted, "tune.no-levels", name.text());
      names.add(name.oneOf(known, "setting", ""));
    }
    Map<String, List<Level>> levels = new LinkedHashMap<>();
    node.get("levels").pairs().forEach(pair -> levels.put(pair.key().text(), levels(pair)));
    List<Limit> limits = node.get("limits").scalars().stream().map(this::limit).toList();
    if (names.isEmpty() && levels.isEmpty()) {
      names.add(TuneSection.ALL);
    }
    return new TuneSection(names, levels, limits);
  }

  private List<Level> levels(Pair pair) {
    String name = pair.key().text();
    if (vocabulary.setting(name).isEmpty()) {
      throw pair.key().unknown("setting", vocabulary.settingNames(), "");
    }
    Map<Settings, Level> own = new LinkedHashMap<>();
    for (YamlNode item : pair.value().items()) {
      Scalar scalar = Form.scalar(item, "a level");
      Settings value = settings.value(name, scalar).settings();
      own.putIfAbsent(value, new Level(scalar.text(), value));
    }
    return List.copyOf(own.values());
  }

  /** Reads a limit such as {@code region + node-heap <= 2g}. */
  private Limit limit(Scalar scalar) {
    String[] sides = scalar.text().split("<=", 2);
    List<String> names = Stream.of(sides[0].split("\\+", -1)).map(String::strip).toList();
    for (String name : names) {
      boolean number = vocabulary.setting(name).flatMap(SettingDescription::least).isPresent();
      scalar.refuseIf(!number, "tune.limit-setting", name);
    }
    Optional<BigDecimal> most =
        switch (vocabulary.setting(names.get(0)).orElseThrow().type()) {
          case BYTES -> Amount.parse(sides[1], Amount.BYTES);
          case SECONDS -> Amount.seconds(sides[1]);
          default -> Amount.parse(sides[1], Amount.SHARES);
        };
    return most.map(amount -> new Limit(names, amount.doubleValue()))
        .orElseThrow(() -> scalar.problem("tune.limit-amount", sides[1].strip(), names.get(0)));
  }
}
