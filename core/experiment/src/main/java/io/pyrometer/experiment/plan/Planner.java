package io.pyrometer.experiment.plan;

import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Expands an experiment to a plan: every treatment once a block; those that can share processes
 * together; groups, and trials within a group, in an order drawn from the seed.
 */
public final class Planner {

  private static final int LONGEST_SLUG = 60;

  private final Experiment experiment;
  private final List<Treatment> treatments;
  private final Vocabulary vocabulary;
  private final int openLoopThreads;
  private final long fewestNodes;
  private int ordinal;

  private Planner(Experiment experiment, Catalogue catalogue) {
    this.experiment = experiment;
    this.treatments = experiment.treatments().expand();
    this.vocabulary = catalogue.vocabulary(experiment.drivers());
    this.openLoopThreads =
        treatments.stream()
            .mapToInt(treatment -> CoreSettings.openLoopThreads(treatment.settings()))
            .max()
            .orElse(1);
    this.fewestNodes =
        treatments.stream()
            .mapToLong(treatment -> complete(treatment).get(CoreSettings.NODES))
            .min()
            .orElse(0);
  }

  /** Plans the trials; equal experiments have equal plans. */
  public static Plan plan(Experiment experiment, Catalogue catalogue) {
    Planner planner = new Planner(experiment, catalogue);
    List<Group> groups = new ArrayList<>();
    for (int block = 0; block < experiment.options().blocks(); block++) {
      groups.addAll(planner.block(block));
    }
    Map<String, Double> failOvers = new HashMap<>();
    catalogue
        .drivers()
        .forEach((name, driver) -> failOvers.put(name, driver.servers().failOverSeconds()));
    return new Plan(experiment, groups, failOvers, Optional.empty());
  }

  private List<Group> block(int block) {
    Random random = new Random(mix(experiment.options().seed(), block));
    Map<Settings, List<Treatment>> byProcess = new LinkedHashMap<>();
    for (Treatment treatment : treatments) {
      ListsByKey.add(byProcess, process(complete(treatment)), treatment);
    }
    List<Settings> order = new ArrayList<>(byProcess.keySet());
    Collections.shuffle(order, random);
    List<Group> groups = new ArrayList<>();
    for (Settings process : order) {
      List<Treatment> members = byProcess.getOrDefault(process, List.of());
      Collections.shuffle(members, random);
      groups.add(
          new Group(block, process, members.stream().map(each -> trial(block, each)).toList()));
    }
    return groups;
  }

  private TrialSpec trial(int block, Treatment treatment) {
    int place = ordinal++;
    return new TrialSpec(
        id(place, block, slug(treatment)),
        place,
        block,
        treatment.levels(),
        vocabulary.path(treatment.settings()).job(),
        warmedAlike(complete(treatment)),
        experiment.record(),
        mix(experiment.options().seed(), block),
        Optional.of(treatment.label()).filter(label -> !label.isEmpty()));
  }

  private Settings complete(Treatment treatment) {
    DriverVocabulary driver = vocabulary.of(treatment.settings());
    PathDescription path = vocabulary.path(treatment.settings());
    Settings given = driver.complete(path, withThreads(treatment, path));
    Settings complete = TrialKinds.of(path.job()).map(kind -> kind.derive(given)).orElse(given);
    if (experiment.testbed().attach().isPresent() || !driver.description().startsServers()) {
      return complete.with(CoreSettings.NODES.name(), 0L);
    }
    long perNode = complete.get(CoreSettings.THREADS_PER_NODE);
    return perNode == 0
        ? complete
        : complete.with(CoreSettings.THREADS.name(), perNode * complete.get(CoreSettings.NODES));
  }

  /** Open loops have the threads that the highest rate needs, so that they differ in rate alone. */
  private Settings withThreads(Treatment treatment, PathDescription path) {
    Settings given = treatment.settings();
    boolean open = given.has(CoreSettings.STAGES) || given.get(CoreSettings.RATE) > 0;
    return !open || given.has(CoreSettings.THREADS) || TrialKinds.of(path.job()).isPresent()
        ? given
        : given.with(CoreSettings.THREADS.name(), (long) openLoopThreads);
  }

  /**
   * Each of N nodes executes 1/N of the calls, so that its code is as warm as that of the fewest
   * nodes only after a warm-up that is longer in proportion.
   */
  private Settings warmedAlike(Settings complete) {
    double growth = complete.get(CoreSettings.NODES) / (double) Math.max(1, fewestNodes);
    return growth <= 1
        ? complete
        : complete.with(
            CoreSettings.COMMON_WARM_UP.name(), growth * complete.get(CoreSettings.COMMON_WARM_UP));
  }

  private Settings process(Settings complete) {
    String agents = CoreSettings.AGENTS.name();
    return vocabulary.of(complete).ofProcesses(complete).with(agents, complete.number(agents));
  }

  /** The id of a trial: its place and block from 1, and a name. */
  static String id(int place, int block, String name) {
    return String.format(Locale.ROOT, "%04d-b%d-%s", place + 1, block + 1, name);
  }

  private static String slug(Treatment treatment) {
    String slug =
        String.join("-", treatment.levels().values())
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-|-$", "");
    String cut = slug.length() > LONGEST_SLUG ? slug.substring(0, LONGEST_SLUG) : slug;
    return cut.isEmpty() ? "trial" : cut.replaceAll("-$", "");
  }

  /** A seed of its own for each block (SplitMix64's finaliser). */
  static long mix(long seed, int block) {
    long z = seed + 0x9E3779B97F4A7C15L * (block + 1L);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
