package io.pyrometer.experiment;

import io.pyrometer.experiment.Draft.DraftFactor;
import io.pyrometer.experiment.Draft.DraftLevel;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Puts an experiment together from the parts of its file. */
final class ExperimentAssembly {

  private static final List<String> KEYS =
      List.of(
          "pyrometer",
          "name",
          "question",
          "grid",
          "workload",
          "cases",
          "factors",
          "design",
          "blocks",
          "seed",
          "analyses",
          "probes",
          "quick",
          "published",
          "full",
          "hosts");
  private static final long BIGGEST = 1L << 53;
  private static final SettingDescription BLOCKS =
      SettingDescription.integer("blocks", Scope.LOAD, 3, 1, 1000, "");
  private static final SettingDescription SEED =
      SettingDescription.integer("seed", Scope.LOAD, 1, -BIGGEST, BIGGEST, "");

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
    Keyed file = Keyed.of(node, "an experiment", KEYS, problems);
    Header header = Header.read(file, catalogue, problems);
    long blocks = number(file, BLOCKS);
    long seed = number(file, SEED);
    Optional<GridPart> grid =
        file.requiredNode("grid", "one such as {driver: ignite}")
            .flatMap(part -> new GridReader(catalogue, folder, problems).read(part));
    Optional<Workload> workload =
        file.requiredNode("workload", "one such as {record: stock-order}").map(this::workload);
    if (grid.isEmpty() || workload.isEmpty()) {
      return Optional.empty();
    }
    Draft draft = draft(file, grid.get(), workload.get());
    checkKillable(file, header, grid.get());
    new DraftCheck(draft, grid.get().vocabulary(), problems).check();
    new AnalysesCheck(problems).check(header.analyses(), draft);
    List<String> quick = QuickReader.read(file, problems);
    Optional<Published> published = published(file, draft.treatments());
    List<Host> hosts =
        file.node("hosts").map(part -> HostReader.read(part, problems)).orElse(List.of());
    if (hosts.contains(Host.NAMESPACES) && grid.get().attach().isPresent()) {
      file.position("hosts")
          .ifPresent(
              at ->
                  problems.add(
                      at, "a running grid cannot be reached from namespaces; leave 'hosts' out."));
    }
    HostReader.checkNetwork(draft.treatments(), hosts, draft.end(), problems);
    Full full = file.node("full").map(part -> FullReader.read(part, problems)).orElse(Full.NONE);
    return draft
        .record()
        .filter(record -> problems.none())
        .map(
            record ->
                new Experiment(
                    header.name(),
                    header.question(),
                    grid.get().driver(),
                    grid.get().config(),
                    grid.get().attach(),
                    draft.base().settings(),
                    record,
                    draft.cases().stream().map(DraftLevel::level).toList(),
                    draft.factors().stream().map(DraftFactor::factor).toList(),
                    draft.design(),
                    (int) blocks,
                    seed,
                    header.analyses().stream().map(AnalysesCheck.Asked::word).toList(),
                    header.probes(),
                    quick,
                    published,
                    full,
                    hosts,
                    text))
        .map(experiment -> QuickReader.checked(experiment, file, catalogue, problems))
        .map(experiment -> FullReader.checked(experiment, file, catalogue, problems));
  }

  private Optional<Published> published(Keyed file, Treatments treatments) {
    List<Treatment> all = treatments.atMost() > Treatments.MOST ? List.of() : treatments.expand();
    return file.node("published").flatMap(node -> new PublishedReader(all, problems).read(node));
  }

  private void checkKillable(Keyed file, Header header, GridPart grid) {
    if (header.probes().contains(ProbeKind.KILL) && grid.noNodes().isPresent()) {
      file.position("probes")
          .ifPresent(
              at ->
                  problems.add(
                      at,
                      "the probe 'kill' ends a node that Pyrometer started, and it starts none"
                          + " here; take it out of 'probes'."));
    }
  }

  private record Workload(YamlNode node, Keyed keyed, Optional<RecordShape> record) {}

  private Workload workload(YamlNode node) {
    Keyed keyed = Keyed.open(node, "'workload'", problems);
    Optional<RecordShape> record =
        node instanceof YamlNode.Keys
            ? keyed.requiredNode("record", "one such as stock-order").flatMap(this::record)
            : Optional.empty();
    return new Workload(node, keyed, record);
  }

  private Optional<RecordShape> record(YamlNode node) {
    if (!(node instanceof YamlNode.Scalar)) {
      return new RecordReader(problems).read(node);
    }
    return Keyed.scalar("'record'", node, problems).flatMap(this::shipped);
  }

  private Optional<RecordShape> shipped(YamlNode.Scalar name) {
    Optional<RecordShape> record = Optional.ofNullable(catalogue.records().get(name.text()));
    if (record.isEmpty()) {
      problems.add(
          name.at(),
          "unknown record '"
              + name.text()
              + "'; "
              + Nearest.hint(name.text(), catalogue.records().keySet()));
    }
    return record;
  }

  private Draft draft(Keyed file, GridPart grid, Workload workload) {
    Vocabulary vocabulary = grid.vocabulary();
    Given load =
        new GivenReader(vocabulary, problems)
            .read(workload.keyed(), "the workload", List.of("record"));
    load.at()
        .forEach(
            (name, at) -> {
              if (grid.given().at().containsKey(name)) {
                problems.add(at, "'" + name + "' is set in the grid and here; keep one of them.");
              }
            });
    LevelReader levels = new LevelReader(vocabulary, problems);
    int before = problems.count();
    List<DraftLevel> cases = file.node("cases").map(levels::cases).orElse(List.of());
    List<DraftFactor> factors = file.node("factors").map(levels::factors).orElse(List.of());
    boolean pathMayBeLost = problems.count() > before;
    checkCaseName(cases, factors);
    Design design =
        file.node("design")
            .map(node -> new DesignReader(factors, problems).read(node))
            .orElseGet(Design.Full::new);
    return new Draft(
        grid.given().with(load),
        cases,
        factors,
        design,
        workload.record(),
        grid.noNodes(),
        pathMayBeLost,
        file.position("factors").orElse(workload.node().at()));
  }

  private void checkCaseName(List<DraftLevel> cases, List<DraftFactor> factors) {
    for (DraftFactor factor : factors) {
      if (!cases.isEmpty() && factor.name().equals(Treatments.CASE)) {
        problems.add(factor.at(), "'case' is the factor of the cases; name this one otherwise.");
      }
    }
  }

  private long number(Keyed file, SettingDescription setting) {
    Optional<YamlNode.Scalar> scalar = file.scalar(setting.name());
    Optional<Object> value = scalar.flatMap(s -> SettingText.parse(setting, s.text()));
    if (scalar.isPresent() && value.isEmpty()) {
      problems.add(scalar.get().at(), Expected.sentence(setting, scalar.get().text()));
    }
    return ((Number) value.or(setting::initial).orElse(1L)).longValue();
  }
}
