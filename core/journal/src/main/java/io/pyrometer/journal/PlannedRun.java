package io.pyrometer.journal;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Testbed;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A run as it is planned and stands in its folder: it can be resumed and reported from this alone.
 *
 * @param arguments those behind {@code pyrometer} on the command line, to run it again
 * @param experiment with all changes of the command line
 * @param classPath the user's own classes, absolute
 * @param drivers by name, each as it described itself when the run was planned
 * @param longerForms of the experiment with the same changes, by the option that selects one,
 *     {@code --full}, or nothing
 * @param interleaving the comparison, where the run measures two versions in the same blocks
 * @param tuning the search, where the groups are its trials
 */
public record PlannedRun(
    int schema,
    List<String> arguments,
    Experiment experiment,
    List<String> classPath,
    Map<String, DriverDescription> drivers,
    List<Group> groups,
    Map<String, Form> longerForms,
    Optional<Interleaving> interleaving,
    Optional<Tuning> tuning) {

  public static final int SCHEMA = 3;

  /**
   * One length of an experiment.
   *
   * @param blocks at most
   * @param seconds of all of them by estimate
   */
  public record Form(int blocks, double seconds) {}

  /**
   * The run of a plan, without a comparison.
   *
   * @param all drivers by name, of which the run holds those of its trials
   */
  public static PlannedRun of(
      Plan plan,
      Map<String, DriverDescription> all,
      List<String> arguments,
      List<Path> classPath,
      Map<String, Form> longerForms) {
    Map<String, DriverDescription> drivers = new TreeMap<>(all);
    drivers
        .keySet()
        .retainAll(
            plan.trials().stream()
                .flatMap(trial -> trial.settings().find(CoreSettings.DRIVER).stream())
                .toList());
    return new PlannedRun(
        SCHEMA,
        arguments,
        plan.experiment(),
        classPath.stream().map(path -> path.toAbsolutePath().toString()).toList(),
        drivers,
        plan.groups(),
        longerForms,
        Optional.empty(),
        plan.tuning());
  }

  public Testbed testbed() {
    return experiment.testbed();
  }

  /** The seed of the order of trials and of the data. */
  public long seed() {
    return experiment.options().seed();
  }

  /** The number of blocks. */
  public int blocks() {
    return groups.stream().mapToInt(Group::block).max().orElse(0) + 1;
  }

  /** Checks whether of the rates only those are measured that a {@link RateSearch} visits. */
  public boolean searching() {
    return experiment.treatments().design() instanceof Design.Search;
  }

  /** This plan on another driver, here and without anything of the user's grid. */
  public PlannedRun on(DriverDescription driver) {
    Experiment here = experiment.with(Testbed.LOCAL);
    return with(here, Map.of(driver.name(), driver), Optional.empty());
  }

  /** This plan as the comparison of two versions that its blocks measure. */
  public PlannedRun comparing(Interleaving versions) {
    return with(experiment, drivers, Optional.of(versions));
  }

  private PlannedRun with(
      Experiment other, Map<String, DriverDescription> others, Optional<Interleaving> versions) {
    return new PlannedRun(
        schema, arguments, other, classPath, others, groups, longerForms, versions, tuning);
  }

  /** The classes that go before a driver's in the processes of a group: its version's own. */
  public List<Path> classesBefore(Group group) {
    return interleaving
        .map(versions -> versions.classes(group.trials().get(0).levels()))
        .orElse(List.of());
  }

  /** Checks whether processes of some groups start with other classes than those of others. */
  public boolean classesDiffer() {
    return interleaving.filter(Interleaving::ofClasses).isPresent();
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
    return one && testbed().config().isEmpty()
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
          Messages.format("journal.no-driver"), settings.get(CoreSettings.DRIVER));
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
    return driver(settings).path(settings.get(CoreSettings.PATH));
  }
}
