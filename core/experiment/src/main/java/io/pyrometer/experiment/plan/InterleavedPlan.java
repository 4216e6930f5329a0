package io.pyrometer.experiment.plan;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/**
 * Two experiments as one plan: every block measures the treatments of both, each version on fresh
 * processes of its own. The groups that correspond follow each other, in an order that is drawn
 * anew for each of these pairs, so that what drifts while a block runs does not look like a
 * difference of the versions. Trials have one level more, that of {@link #FACTOR}.
 */
public final class InterleavedPlan {
  /** The factor that tells the versions apart. */
  public static final String FACTOR = "version";

  /** The level of the baseline. */
  public static final String A = "A";

  /** The level of the candidate. */
  public static final String B = "B";

  private final long seed;
  private final List<Group> groups = new ArrayList<>();
  private int ordinal;

  private InterleavedPlan(long seed) {
    this.seed = seed;
  }

  /**
   * Plans as many blocks as the baseline has, in the order of its seed.
   *
   * @throws ExperimentException if the two cannot be compared: their records, testbeds, treatments
   *     or jobs differ, or a factor is called {@link #FACTOR}
   */
  public static Plan of(Experiment baseline, Experiment candidate, Catalogue catalogue) {
    Options options = baseline.options();
    Plan a = Planner.plan(baseline, catalogue);
    Plan b =
        Planner.plan(
            candidate.with(
                new Options(
                    options.blocks(),
                    options.seed(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    Optional.empty())),
            catalogue);
    InterleavedPlan plan = new InterleavedPlan(options.seed());
    check(a, b);
    for (int block = 0; block < options.blocks(); block++) {
      plan.block(block, of(a, block), of(b, block));
    }
    return new Plan(merged(baseline, candidate), plan.groups, Map.of(), Optional.empty());
  }

  private static List<Group> of(Plan plan, int block) {
    return plan.groups().stream().filter(group -> group.block() == block).toList();
  }

  private static void check(Plan a, Plan b) {
    Experiment baseline = a.experiment();
    Experiment candidate = b.experiment();
    if (!baseline.record().equals(candidate.record())) {
      throw refused("interleave.records");
    }
    if (!baseline.testbed().equals(candidate.testbed())) {
      throw refused("interleave.testbeds");
    }
    if (baseline.levels().containsKey(FACTOR) || candidate.levels().containsKey(FACTOR)) {
      throw refused("interleave.factor-name", FACTOR);
    }
    Map<Map<String, String>, TrialSpec> ofA = byLevels(a);
    Map<Map<String, String>, TrialSpec> ofB = byLevels(b);
    refuseOthers(ofA, ofB, A);
    refuseOthers(ofB, ofA, B);
    ofB.forEach(
        (levels, trial) -> {
          Job job = Objects.requireNonNull(ofA.get(levels)).job();
          if (job != trial.job()) {
            throw refused("interleave.work", Labels.of(trial), job.id(), trial.job().id());
          }
        });
  }

  private static Map<Map<String, String>, TrialSpec> byLevels(Plan plan) {
    Map<Map<String, String>, TrialSpec> trials = new LinkedHashMap<>();
    plan.trials().forEach(trial -> trials.putIfAbsent(trial.levels(), trial));
    return trials;
  }

  private static void refuseOthers(
      Map<Map<String, String>, TrialSpec> own,
      Map<Map<String, String>, TrialSpec> others,
      String version) {
    own.values().stream()
        .filter(trial -> !others.containsKey(trial.levels()))
        .findFirst()
        .ifPresent(
            trial -> {
              throw refused("interleave.treatments", version, Labels.of(trial));
            });
  }

  private static ExperimentException refused(String id, Object... values) {
    String why = ExperimentException.words(id, values);
    return new ExperimentException(
        "--interleave", ExperimentException.words("interleave.impossible", why));
  }

  private void block(int block, List<Group> a, List<Group> b) {
    Random random = new Random(~Planner.mix(seed, block));
    List<List<Group>> rounds = new ArrayList<>();
    if (a.size() == b.size()) {
      for (int i = 0; i < a.size(); i++) {
        rounds.add(new ArrayList<>(List.of(named(a.get(i), A), named(b.get(i), B))));
      }
    } else {
      a.forEach(group -> rounds.add(new ArrayList<>(List.of(named(group, A)))));
      b.forEach(group -> rounds.add(new ArrayList<>(List.of(named(group, B)))));
    }
    Collections.shuffle(rounds, random);
    for (List<Group> round : rounds) {
      Collections.shuffle(round, random);
      round.forEach(group -> groups.add(placed(group)));
    }
  }

  private static Group named(Group group, String version) {
    return group.with(trial -> named(trial, version));
  }

  private static TrialSpec named(TrialSpec trial, String version) {
    Map<String, String> levels = new LinkedHashMap<>(trial.levels());
    levels.put(FACTOR, version);
    String id = version.toLowerCase(Locale.ROOT) + trial.id().replaceFirst("^\\d+-b\\d+", "");
    return trial.at(id, trial.ordinal(), Collections.unmodifiableMap(levels));
  }

  private Group placed(Group group) {
    return group.with(
        trial -> {
          int place = ordinal++;
          String id = Planner.id(place, trial.block(), trial.id());
          return trial.at(id, place, trial.levels());
        });
  }

  private static Experiment merged(Experiment a, Experiment b) {
    Treatments of = a.treatments();
    List<Factor> factors = new ArrayList<>(of.factors());
    factors.add(
        new Factor(
            FACTOR,
            List.of(new Level(A, Settings.NONE), new Level(B, Settings.NONE)),
            Optional.empty()));
    String names = a.name().equals(b.name()) ? a.name() : a.name() + "-" + b.name();
    return new Experiment(
        "compare-" + names,
        "Is version B worse than version A?",
        a.testbed(),
        a.record(),
        new Treatments(of.base(), of.cases(), factors, new Design.Full()),
        new Options(
            a.options().blocks(),
            a.options().seed(),
            List.of("ranking"),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty()),
        Variants.NONE,
        Optional.empty(),
        a.source());
  }
}
