package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.Published;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.FailedTrials;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.ProcessStarts;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Ranks a run's treatments, each job and offered rate by itself. */
public final class Rankings {
  /** The unit of throughput. */
  public static final String UNIT = "records/s";

  /** Throughput in a closed loop; in an open one, the p99 of those that held the rate. */
  private static final Comparator<Ranking.Row> FASTEST =
      Comparator.comparingDouble(row -> -row.throughput().value());

  private static final Comparator<Ranking.Row> LOWEST_P99 =
      Comparator.<Ranking.Row, Boolean>comparing(row -> !row.heldRate())
          .thenComparingDouble(row -> row.worstP99().orElse(Double.MAX_VALUE));

  private final RunRecord run;
  private final ProcessStarts starts;
  private final List<String> conditions;
  private final Map<Map<String, String>, FailedTrials> failed;

  private Rankings(RunRecord run) {
    this.run = run;
    this.conditions = conditions(run);
    this.failed = FailedTrials.of(run);
    this.starts = ProcessStarts.of(run.counting());
  }

  /** A benchmark's name sorts by its place in the experiment. */
  private record Key(Job job, int place, String part, double rate) {}

  /**
   * One ranking for each job, part of it and offered rate, in the order of {@link Job}, then of the
   * experiment's cases, then of the rates.
   */
  public static List<Ranking> of(RunRecord run) {
    Map<Key, List<TrialRecord>> parts =
        new TreeMap<>(
            Comparator.comparing(Key::job)
                .thenComparingInt(Key::place)
                .thenComparing(Key::part)
                .thenComparingDouble(Key::rate));
    List<String> cases = run.experiment().levels().getOrDefault(Treatments.CASE, List.of());
    for (TrialRecord trial : run.counting()) {
      if (KindReport.of(trial.job()).map(kind -> kind.rankedByThroughput(trial)).orElse(true)) {
        String part = KindReport.partOf(trial);
        ListsByKey.add(
            parts, new Key(trial.job(), cases.indexOf(part), part, OfferedRate.of(trial)), trial);
      }
    }
    Rankings rankings = new Rankings(run);
    return parts.entrySet().stream()
        .map(entry -> rankings.rank(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** All trials of one treatment, the valid ones of them, and their latencies. */
  record Group(
      List<TrialRecord> trials, List<TrialRecord> valid, List<OperationLatency> latencies) {

    String label() {
      return KindReport.labelOf(trials.get(0));
    }

    String path() {
      return trials.get(0).settings().get(CoreSettings.PATH);
    }

    Map<String, String> levels() {
      return trials.get(0).levels();
    }

    Treatment replicates() {
      return RunRecord.values(levels(), valid, TrialRecord::throughput);
    }
  }

  private Group group(List<TrialRecord> trials) {
    List<TrialRecord> valid =
        trials.stream()
            .filter(TrialRecord::valid)
            .filter(t -> t.throughput().filter(value -> value > 0).isPresent())
            .toList();
    return new Group(trials, valid, valid.isEmpty() ? List.of() : OperationLatency.of(valid));
  }

  private Ranking rank(Key key, List<TrialRecord> trials) {
    List<Group> groups =
        trials.stream().collect(ListsByKey.by(TrialRecord::levels)).values().parallelStream()
            .map(this::group)
            .toList();
    List<String> varied =
        conditions.stream()
            .filter(f -> groups.stream().map(g -> g.levels().get(f)).distinct().count() > 1)
            .toList();
    List<Group> measured = groups.stream().filter(g -> !g.valid().isEmpty()).toList();
    Models models = new Models(measured);
    List<Ranking.Row> rows =
        measured.stream()
            .map(group -> row(group, measured, models, varied))
            .sorted(key.rate() > 0 ? LOWEST_P99 : FASTEST)
            .toList();
    Set<Requirement> required = new TreeSet<>(run.experiment().require());
    for (Ranking.Row row : rows) {
      List<Ranking.Row> same =
          rows.stream().filter(r -> r.condition().equals(row.condition())).toList();
      if (row.refuted().isEmpty()
          && !row.lacks(Recommendation.wanted(same, rows, required)).isEmpty()) {
        row.marks().add(Mark.of(Mark.Kind.LACKS_GUARANTEES, ""));
      }
    }
    List<Ranking.Unranked> unranked =
        groups.stream()
            .filter(g -> g.valid().isEmpty())
            .map(g -> new Ranking.Unranked(g.label(), why(g)))
            .toList();
    return new Ranking(
        key.job(),
        key.part(),
        key.rate(),
        words(
            measured.stream()
                .flatMap(group -> baseline(group, measured, varied).stream())
                .distinct()
                .toList()),
        measured.stream()
            .map(group -> condition(group, varied))
            .sorted(run.inOrder(levels -> levels))
            .distinct()
            .toList(),
        rows,
        unranked);
  }

  /** Among the treatments of its condition, if it has others. */
  private Optional<Group> baseline(Group group, List<Group> measured, List<String> varied) {
    List<Group> same =
        measured.stream()
            .filter(g -> condition(g, varied).equals(condition(group, varied)))
            .toList();
    return baseline(group, same.size() > 1 ? same : measured);
  }

  private static Map<String, String> condition(Group group, List<String> varied) {
    Map<String, String> condition = new LinkedHashMap<>();
    varied.forEach(factor -> condition.put(factor, group.levels().getOrDefault(factor, "")));
    return condition;
  }

  private static String why(Group group) {
    return group.trials().stream()
        .flatMap(trial -> trial.why().stream())
        .findFirst()
        .orElse("No trial of it was finished.");
  }

  /** The models of a ranking: by throughput, and by the p99 of operations that are compared. */
  private final class Models {
    private final Map<String, List<OperationLatency>> byLabel = new LinkedHashMap<>();
    private final Map<Map<String, Treatment>, RankingModel> p99 = new HashMap<>();
    private final Set<String> excluded;
    private final RankingModel throughput;

    Models(List<Group> measured) {
      Map<String, Treatment> rates = new LinkedHashMap<>();
      for (Group group : measured) {
        rates.put(group.label(), group.replicates());
        byLabel.put(group.label(), group.latencies());
      }
      excluded =
          measured.stream()
              .filter(group -> TreatmentProbes.isExcluded(run, group.valid().get(0)))
              .map(Group::label)
              .collect(Collectors.toSet());
      throughput = new RankingModel(NamedMetric.THROUGHPUT, rates, starts, excluded);
    }

    /** The ratio of the p99 of an operation of a treatment to that of its counterpart. */
    Optional<Estimate> p99Ratio(Group base, Group group, OperationLatency latency) {
      return p99.computeIfAbsent(
              latency.p99Values(group.latencies(), byLabel),
              values -> new RankingModel(latency.p99Metric(), values, starts, excluded))
          .ratio(base.label(), group.label());
    }
  }

  private Ranking.Row row(Group group, List<Group> measured, Models models, List<String> varied) {
    List<TrialRecord> valid = group.valid();
    Treatment replicates = group.replicates();
    Optional<Guarantee> claimed = TreatmentProbes.claimed(run, valid.get(0));
    TreatmentProbes probes = TreatmentProbes.of(run, valid.get(0));
    Optional<Group> base = baseline(group, measured, varied).filter(b -> !b.equals(group));
    return new Ranking.Row(
        group.label(),
        group.path(),
        condition(group, varied),
        claimed,
        probes.left(TreatmentProbes.declared(run, valid.get(0))),
        probes,
        base.isEmpty(),
        Means.geometric(replicates.values(), UNIT),
        base.flatMap(b -> models.throughput.ratio(b.label(), group.label())),
        run.mean(group.levels(), Metric.CPU, "µs"),
        group.latencies().stream()
            .map(l -> l.withRatio(base.flatMap(b -> models.p99Ratio(b, group, l))))
            .toList(),
        OfferedRate.of(valid.get(0)) > 0 ? Optional.of(OfferedRate.of(valid)) : Optional.empty(),
        base.flatMap(b -> published(b, group)),
        marks(group, base),
        replicates);
  }

  private Optional<Ranking.PublishedRatio> published(Group base, Group group) {
    Optional<Published> all = run.experiment().published();
    Optional<Published.Figure> of = all.flatMap(figures -> figures.of(group.levels()));
    return all.flatMap(figures -> figures.of(base.levels()))
        .flatMap(to -> of.map(figure -> ratio(base.label(), figure, to)));
  }

  private static Ranking.PublishedRatio ratio(
      String base, Published.Figure of, Published.Figure to) {
    return new Ranking.PublishedRatio(base, of.rate() / to.rate(), of.why().or(to::why));
  }

  private List<Mark> marks(Group group, Optional<Group> base) {
    TrialRecord any = group.valid().get(0);
    List<Mark> marks = new ArrayList<>();
    TreatmentNotes.mark(run.plan(), any.settings()).ifPresent(marks::add);
    Optional.ofNullable(failed.get(group.levels()))
        .map(of -> new Mark(Mark.Kind.FAILED, "", of.failed(), of.blocks()))
        .ifPresent(marks::add);
    if (!TreatmentProbes.refuted(run, any).isEmpty()) {
      marks.add(Mark.of(Mark.Kind.REFUTED, ""));
    }
    if (TreatmentProbes.hasFewerCopies(run, any)) {
      marks.add(Mark.of(Mark.Kind.FEWER_COPIES, ""));
    }
    KindReport.of(any.job()).stream()
        .flatMap(kind -> base.stream().map(b -> kind.marks(any, b.valid().get(0))))
        .flatMap(List::stream)
        .map(words -> Mark.of(Mark.Kind.OTHER, words))
        .forEach(marks::add);
    marks.addAll(Mark.ofChecks(group.valid()));
    return marks;
  }

  /**
   * Baseline of a group. Of several products, it is a treatment of the one that the experiment
   * names first: the plainest path at the most similar levels. Of one product that has none, or no
   * other path, it is the treatment that claims the most guarantees, of several the one that the
   * experiment names first.
   *
   * @param measured the treatments under the same condition, or all where it has no other
   */
  private Optional<Group> baseline(Group group, List<Group> measured) {
    boolean products = measured.stream().map(Rankings::driver).distinct().count() > 1;
    List<Group> ofFirst = products ? ofFirstDriver(measured) : measured;
    List<Group> plain = ofFirst.stream().filter(this::plainest).toList();
    if (!products && (plain.isEmpty() || plain.containsAll(measured))) {
      return measured.stream()
          .min(
              Comparator.comparingInt((Group of) -> -claims(of))
                  .thenComparing(run.inOrder(Group::levels)));
    }
    List<Group> candidates = plain.isEmpty() ? ofFirst : plain;
    return candidates.contains(group)
        ? Optional.of(group)
        : candidates.stream().max(Comparator.comparingLong(g -> alike(g.levels(), group.levels())));
  }

  private boolean plainest(Group group) {
    return run.plan()
        .path(group.trials().get(0).settings())
        .map(PathDescription::plainest)
        .orElse(false);
  }

  private int claims(Group group) {
    Settings settings = group.trials().get(0).settings();
    return run.plan()
        .driver(settings)
        .guarantees(settings, settings.find(CoreSettings.NODES).orElse(0))
        .size();
  }

  private List<Group> ofFirstDriver(List<Group> measured) {
    String first =
        measured.stream().min(run.inOrder(Group::levels)).map(Rankings::driver).orElse("");
    return measured.stream().filter(group -> driver(group).equals(first)).toList();
  }

  /** Empty for a run of one driver whose settings do not name it. */
  private static String driver(Group group) {
    return group.trials().get(0).settings().find(CoreSettings.DRIVER).orElse("");
  }

  private static long alike(Map<String, String> a, Map<String, String> b) {
    return a.entrySet().stream().filter(e -> e.getValue().equals(b.get(e.getKey()))).count();
  }

  /** Some baselines in words; where several serve, their path. */
  private static String words(List<Group> baselines) {
    if (baselines.size() <= 1) {
      return baselines.isEmpty() ? "" : baselines.get(0).label();
    }
    return baselines.stream().map(Group::path).distinct().collect(Collectors.joining(" or "))
        + " at like levels";
  }

  /**
   * The factors of a run that are conditions: they change nothing but settings that are declared as
   * conditions, such as data, load or links, unless the experiment gives their role. All other
   * factors are choices, of which a recommendation names a level.
   */
  public static List<String> conditions(RunRecord run) {
    Set<String> declared =
        Stream.concat(
                CoreSettings.ALL.stream(),
                run.plan().drivers().values().stream().flatMap(Rankings::declared))
            .filter(setting -> setting.traits().condition())
            .map(SettingDescription::name)
            .collect(Collectors.toSet());
    Map<Map<String, String>, TrialSpec> treatments = new LinkedHashMap<>();
    run.plan().trials().forEach(trial -> treatments.putIfAbsent(trial.levels(), trial));
    return treatments.keySet().stream()
        .flatMap(levels -> levels.keySet().stream())
        .distinct()
        .filter(
            factor -> {
              Role role = run.experiment().roles().get(factor);
              Set<String> changed = changedBy(factor, treatments.values());
              return role == null
                  ? !changed.isEmpty() && declared.containsAll(changed)
                  : role == Role.CONDITION;
            })
        .toList();
  }

  private static Stream<SettingDescription> declared(DriverDescription driver) {
    return Stream.concat(
        driver.settings().stream(),
        driver.paths().stream().map(PathDescription::settings).flatMap(Collection::stream));
  }

  /** The settings that have one value at each level of a factor, but not the same at all. */
  private static Set<String> changedBy(String factor, Collection<TrialSpec> treatments) {
    Map<String, Map<String, Set<Object>>> values = new LinkedHashMap<>();
    Set<String> levels = new HashSet<>();
    for (TrialSpec trial : treatments) {
      String level = trial.levels().getOrDefault(factor, Treatments.AS_IN_CASE);
      levels.add(level);
      if (!level.equals(Treatments.AS_IN_CASE)) {
        trial
            .settings()
            .values()
            .forEach(
                (setting, value) ->
                    values
                        .computeIfAbsent(setting, s -> new HashMap<>())
                        .computeIfAbsent(level, l -> new HashSet<>())
                        .add(value));
      }
    }
    values
        .values()
        .removeIf(
            byLevel ->
                byLevel.values().stream().anyMatch(of -> of.size() > 1)
                    || (byLevel.keySet().equals(levels)
                        && Set.copyOf(byLevel.values()).size() == 1));
    return values.keySet();
  }
}
