package io.pyrometer.experiment.plan;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.AnalysisDeclaration;
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
    Options options =
        new Options(
            baseline.options().blocks(),
            baseline.options().seed(),
            List.of(AnalysisDeclaration.RANKING),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty());
    Plan a = Planner.plan(baseline, catalogue);
    Plan b = Planner.plan(candidate.with(options), catalogue);
    InterleavedPlan plan = new InterleavedPlan(options.seed());
    check(a, b);
    for (int block = 0; block < options.blocks(); block++) {
      plan.block(block, of(a, block), of(b, block));
    }
    Experiment merged = merged(baseline, candidate, options);
    return new Plan(merged, plan.groups, Map.of(), Optional.empty());
  }

  private static List<Group> of(Plan plan, int block) {
    return plan.groups().stream().filter(group -> group.block() == block).toList();
  }

  private static void check(Plan a, Plan b) {
    Experiment baseline = a.experiment();
    Experiment candidate = b.experiment();
    refuseIf(!baseline.record().equals(candidate.record()), "interleave.records");
    refuseIf(!baseline.testbed().equals(candidate.testbed()), "interleave.testbeds");
    refuseIf(
        baseline.levels().containsKey(FACTOR) || candidate.levels().containsKey(FACTOR),
        "interleave.factor-name",
        FACTOR);
    Map<Map<String, String>, TrialSpec> ofA = byLevels(a);
    Map<Map<String, String>, TrialSpec> ofB = byLevels(b);
    refuseOthers(ofA, ofB, A);
    refuseOthers(ofB, ofA, B);
    ofB.forEach(
        (levels, trial) -> {
          Job job = Objects.requireNonNull(ofA.get(levels)).job();
          String name = Labels.of(trial);
          refuseIf(job != trial.job(), "interleave.work", name, job.id(), trial.job().id());
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
    own.forEach(
        (levels, trial) ->
            refuseIf(
                !others.containsKey(levels), "interleave.treatments", version, Labels.of(trial)));
  }

  private static void refuseIf(boolean wrong, String id, Object... values) {
    if (wrong) {
      String why = ExperimentException.words(id, values);
      throw new ExperimentException(
          "--interleave", ExperimentException.words("interleave.impossible", why));
    }
  }

  private void block(int block, List<Group> a, List<Group> b) {
    Random random = new Random(~Planner.mix(seed, block));
    List<List<Versioned>> rounds = new ArrayList<>();
    a.forEach(group -> rounds.add(new ArrayList<>(List.of(new Versioned(A, group)))));
    for (int i = 0; i < b.size(); i++) {
      Versioned other = new Versioned(B, b.get(i));
      if (a.size() == b.size()) {
        rounds.get(i).add(other);
      } else {
        rounds.add(new ArrayList<>(List.of(other)));
      }
    }
    Collections.shuffle(rounds, random);
    for (List<Versioned> round : rounds) {
      Collections.shuffle(round, random);
      round.forEach(each -> groups.add(each.group().with(trial -> placed(trial, each.version()))));
    }
  }

  private record Versioned(String version, Group group) {}

  private TrialSpec placed(TrialSpec trial, String version) {
    Map<String, String> levels = new LinkedHashMap<>(trial.levels());
    levels.put(FACTOR, version);
    String name = version.toLowerCase(Locale.ROOT) + trial.id().replaceFirst("^\\d+-b\\d+", "");
    int place = ordinal++;
    return trial.at(
        Planner.id(place, trial.block(), name), place, Collections.unmodifiableMap(levels));
  }

  private static Experiment merged(Experiment a, Experiment b, Options options) {
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
        options,
        Variants.NONE,
        Optional.empty(),
        a.source());
  }
}
