package io.pyrometer.experiment.plan;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Options;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.Overrides;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A short experiment that measures the same twice in each block, in random order, each time with
 * fresh processes: any difference is noise of the machine (an A/A test).
 */
public final class CalibrationPlan {
  /** The name of the experiment, and of its runs. */
  public static final String NAME = "calibrate";

  private static final String FILE =
      """
      pyrometer: 1
      name: %s
      question: What is the smallest regression that this machine can detect (A/A test)?
      grid: {driver: "%s"%s}
      workload:
        record: stock-order
        records: 500000
        path: %s
        warm-up: 2s
        measure: 2s
        common-warm-up: 4s
      blocks: 5
      seed: 1
      analyses: [ranking]
      """;

  private static final String FACTOR = "same";
  private static final String FIRST = "A";
  private static final String AGAIN = "A again";

  /** The treatment, and the same once more. */
  public static final List<Map<String, String>> BOTH =
      List.of(Map.of(FACTOR, FIRST), Map.of(FACTOR, AGAIN));

  private CalibrationPlan() {}

  /**
   * Makes the plan.
   *
   * @param path the access path; writing in batches where the driver has it, if none is named
   * @throws io.pyrometer.experiment.model.ExperimentException if driver, path or overrides do not
   *     fit
   */
  public static Plan of(
      Catalogue catalogue, String driver, Optional<String> path, Overrides overrides) {
    Optional<DriverDescription> known = Optional.ofNullable(catalogue.drivers().get(driver));
    boolean nodes = known.filter(d -> d.capabilities().contains("nodes")).isPresent();
    String text =
        FILE.formatted(NAME, driver, nodes ? ", nodes: 2" : "", path.orElseGet(() -> usual(known)));
    Experiment one =
        overrides.applyTo(
            ExperimentReader.read(text, NAME + ".yaml", Path.of(""), catalogue), catalogue);
    Plan plan = Planner.plan(twice(one), catalogue);
    return new Plan(
        plan.experiment(), plan.groups().stream().flatMap(g -> apart(g).stream()).toList());
  }

  private static String usual(Optional<DriverDescription> driver) {
    boolean batches =
        driver
            .filter(d -> d.paths().stream().anyMatch(p -> p.name().equals("put-all")))
            .isPresent();
    return batches ? "put-all" : "put";
  }

  private static Experiment twice(Experiment one) {
    Factor same =
        new Factor(
            FACTOR, List.of(new Level(FIRST, Settings.NONE), new Level(AGAIN, Settings.NONE)));
    Treatments of = one.treatments();
    Options options = one.options();
    return one.with(new Treatments(of.base(), of.cases(), List.of(same), new Design.Full()))
        .with(new Options(options.replication(), options.seed(), options.analyses(), List.of()))
        .with(new Variants(List.of(), List.of(), one.variants().onlyFull()))
        .withoutPublished();
  }

  /** A group for each trial, so that each has processes of its own. */
  private static List<Group> apart(Group group) {
    return group.trials().stream()
        .map(trial -> new Group(group.block(), group.process(), List.of(trial)))
        .toList();
  }
}
