package io.pyrometer.journal;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.Published;
import io.pyrometer.experiment.model.Replication;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Everything that a run is to do, as it stands in its folder: it can be resumed and reported from
 * this alone.
 *
 * @param arguments what follows {@code pyrometer} on the command line, to run it again
 * @param seed of the order of trials and of the data
 * @param blocks the number of blocks, or the largest number where they are added until the results
 *     are precise enough
 * @param stopping when no more blocks are added; empty where all of them are made
 * @param drivers by name, each as it described itself when the run was planned
 * @param searching whether of the rates only those are measured that a {@link RateSearch} visits
 * @param interleaving what is compared, where the run measures two versions in the same blocks
 * @param tuning what is searched for, where the groups are the trials of a search
 */
public record PlannedRun(
    int schema,
    List<String> arguments,
    Summary experiment,
    Testbed testbed,
    long seed,
    int blocks,
    Optional<StoppingRule> stopping,
    Map<String, DriverDescription> drivers,
    List<Group> groups,
    boolean searching,
    Optional<Interleaving> interleaving,
    Optional<Tuning> tuning) {

  public static final int SCHEMA = 2;

  /** Copies the collections. */
  public PlannedRun {
    arguments = List.copyOf(arguments);
    drivers = Map.copyOf(drivers);
    groups = List.copyOf(groups);
  }

  /**
   * What is asked and reported.
   *
   * @param factors their levels, both in the order of the file, the cases first
   * @param analyses as the experiment words them
   * @param probes to be made of every treatment that writes
   * @param published figures that others published of its treatments
   * @param shortcomings what the run is too short to say, each a sentence
   * @param thresholds that every treatment must keep
   * @param require what a treatment must guarantee to be recommended
   * @param roles of factors in recommendations, where the file gives them
   * @param longerForms of the experiment with the same changes, by the option that selects one,
   *     {@code --full}, or nothing
   */
  public record Summary(
      String name,
      String question,
      Map<String, List<String>> factors,
      List<String> analyses,
      List<ProbeKind> probes,
      Optional<Published> published,
      List<String> shortcomings,
      List<Threshold> thresholds,
      List<Requirement> require,
      Map<String, Role> roles,
      Map<String, Form> longerForms) {

    /** Copies the collections. */
    public Summary {
      factors = Collections.unmodifiableMap(new LinkedHashMap<>(factors));
      analyses = List.copyOf(analyses);
      probes = List.copyOf(probes);
      shortcomings = List.copyOf(shortcomings);
      thresholds = List.copyOf(thresholds);
      require = List.copyOf(require);
      roles = Map.copyOf(roles);
      longerForms = Map.copyOf(longerForms);
    }
  }

  /**
   * One length of an experiment.
   *
   * @param blocks at most
   * @param seconds that all of them take by estimate
   */
  public record Form(int blocks, double seconds) {}

  /**
   * Where it runs.
   *
   * @param config the user's own grid configuration, absolute
   * @param attach host:port list of a grid that runs already
   * @param classPath the user's own classes, absolute
   * @param hosts that processes are spread over; empty for this machine
   */
  public record Testbed(
      Optional<String> config, Optional<String> attach, List<String> classPath, List<Host> hosts) {

    public Testbed {
      classPath = List.copyOf(classPath);
      hosts = List.copyOf(hosts);
    }
  }

  /** What a run of the plan keeps in its folder. */
  public static PlannedRun of(
      Plan plan,
      Map<String, DriverDescription> drivers,
      List<String> arguments,
      List<Path> classPath) {
    return of(plan, drivers, arguments, classPath, Map.of());
  }

  /** The same of an experiment that has longer forms. */
  public static PlannedRun of(
      Plan plan,
      Map<String, DriverDescription> drivers,
      List<String> arguments,
      List<Path> classPath,
      Map<String, Form> longerForms) {
    Experiment experiment = plan.experiment();
    return new PlannedRun(
        SCHEMA,
        arguments,
        new Summary(
            experiment.name(),
            experiment.question(),
            experiment.levels(),
            experiment.options().analyses(),
            experiment.options().probes(),
            experiment.published(),
            experiment.variants().onlyFull(),
            experiment.options().thresholds(),
            experiment.options().require(),
            experiment.roles(),
            longerForms),
        new Testbed(
            experiment.testbed().config().map(path -> path.toAbsolutePath().toString()),
            experiment.testbed().attach(),
            classPath.stream().map(path -> path.toAbsolutePath().toString()).toList(),
            experiment.testbed().hosts()),
        experiment.options().seed(),
        experiment.options().replication().most(),
        experiment.options().replication() instanceof Replication.UntilPrecise precise
            ? Optional.of(precise.rule())
            : Optional.empty(),
        drivers,
        plan.groups(),
        experiment.treatments().design() instanceof Design.Search,
        Optional.empty(),
        plan.tuning());
  }

  /** This plan on another driver, here and without anything of the user's grid. */
  public PlannedRun on(DriverDescription driver) {
    Testbed here = new Testbed(Optional.empty(), Optional.empty(), testbed.classPath(), List.of());
    return with(here, Map.of(driver.name(), driver), Optional.empty());
  }

  /** This plan as the comparison of two versions that its blocks measure. */
  public PlannedRun comparing(Interleaving versions) {
    return with(testbed, drivers, Optional.of(versions));
  }

  private PlannedRun with(
      Testbed testbed, Map<String, DriverDescription> drivers, Optional<Interleaving> versions) {
    return new PlannedRun(
        schema,
        arguments,
        experiment,
        testbed,
        seed,
        blocks,
        stopping,
        drivers,
        groups,
        searching,
        versions,
        tuning);
  }

  /** The classes that go before a driver's in the processes of a group: its version's own. */
  public List<Path> classesBefore(Group group) {
    return interleaving
        .map(versions -> versions.classes(group.trials().get(0).levels()))
        .orElse(List.of());
  }

  /** Whether processes of some groups start with other classes than those of others. */
  public boolean classesDiffer() {
    return interleaving.filter(Interleaving::ofClasses).isPresent();
  }

  /** Whether guarantees of a trial are probed; of a search only of what it confirms. */
  public boolean isProbed(TrialSpec trial) {
    return tuning.isEmpty() || TuningRun.isConfirmed(trial.levels());
  }

  public List<TrialSpec> trials() {
    return groups.stream().flatMap(group -> group.trials().stream()).toList();
  }

  /** The caches that were in the grid before, with the most records that a trial reads of each. */
  public Map<String, Long> recordsRead() {
    Map<String, Long> most = new LinkedHashMap<>();
    trials().stream()
        .filter(trial -> trial.job() == Job.READ)
        .map(TrialSpec::settings)
        .forEach(
            settings ->
                most.merge(
                    settings.get(CoreSettings.EXISTING_CACHE),
                    settings.get(CoreSettings.RECORDS),
                    Math::max));
    return most;
  }

  public String name() {
    return experiment.name();
  }

  public String question() {
    return experiment.question();
  }

  /**
   * The arguments that repeat the run with a copy of the experiment's file, which may be another
   * one by now.
   */
  public List<String> argumentsWith(String copy) {
    boolean one = arguments.stream().filter(PlannedRun::isFile).count() == 1;
    // A configuration is named relative to the file.
    return one && testbed.config().isEmpty()
        ? arguments.stream().map(each -> isFile(each) ? copy : each).toList()
        : arguments;
  }

  private static boolean isFile(String argument) {
    return argument.endsWith(".yaml") || argument.endsWith(".yml");
  }

  /**
   * The driver of a treatment or of the processes of a group.
   *
   * @throws RunException if the plan has no such driver
   */
  public DriverDescription driver(Settings settings) {
    if (!settings.has(CoreSettings.DRIVER) && drivers.size() == 1) {
      return drivers.values().iterator().next();
    }
    DriverDescription driver = drivers.get(settings.get(CoreSettings.DRIVER));
    if (driver == null) {
      throw RunException.of(
          "The plan has no driver '%s'; is plan.json whole?", settings.get(CoreSettings.DRIVER));
    }
    return driver;
  }

  /** The products under test with their versions, for a heading. */
  public String products() {
    return drivers.values().stream()
        .map(driver -> driver.product() + " " + driver.version())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** The access path of a treatment as its driver describes it. */
  public Optional<PathDescription> path(Settings settings) {
    return driver(settings).paths().stream()
        .filter(path -> path.name().equals(settings.get(CoreSettings.PATH)))
        .findFirst();
  }
}
