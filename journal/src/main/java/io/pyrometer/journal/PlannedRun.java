package io.pyrometer.journal;

import io.pyrometer.experiment.Experiment;
import io.pyrometer.experiment.Group;
import io.pyrometer.experiment.Host;
import io.pyrometer.experiment.Plan;
import io.pyrometer.experiment.Published;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a run is to do, as it stands in its folder: it can be carried on and reported
 * from this alone.
 *
 * @param arguments what follows {@code pyrometer} on the command line, to run it again
 * @param config the user's own grid configuration, absolute
 * @param attach host:port list of a grid that runs already
 * @param classPath the user's own classes, absolute
 * @param factors their levels, both in the order of the file, the cases first
 * @param probes to be made of every treatment that writes
 * @param published figures that others published of its treatments
 * @param unsaid what the run is too short to say, each a sentence
 * @param hosts that processes are spread over
 * @param driver as it described itself when the run was planned
 */
public record PlannedRun(
    int schema,
    String name,
    String question,
    List<String> arguments,
    long seed,
    int blocks,
    Optional<String> config,
    Optional<String> attach,
    List<String> classPath,
    List<String> analyses,
    Map<String, List<String>> factors,
    List<ProbeKind> probes,
    Optional<Published> published,
    Optional<List<String>> unsaid,
    Optional<List<Host>> hosts,
    DriverDescription driver,
    List<Group> groups) {

  public static final int SCHEMA = 1;

  /** Runs of older versions name neither their factors nor probes: then there are none here. */
  public PlannedRun {
    probes = probes == null ? List.of() : List.copyOf(probes);
    factors =
        factors == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(factors));
  }

  /** What a run of the plan keeps in its folder. */
  public static PlannedRun of(
      Plan plan, DriverDescription driver, List<String> arguments, List<Path> classPath) {
    Experiment experiment = plan.experiment();
    return new PlannedRun(
        SCHEMA,
        experiment.name(),
        experiment.question(),
        arguments,
        experiment.options().seed(),
        experiment.options().replication().most(),
        experiment.testbed().config().map(path -> path.toAbsolutePath().toString()),
        experiment.testbed().attach(),
        classPath.stream().map(path -> path.toAbsolutePath().toString()).toList(),
        experiment.options().analyses(),
        experiment.levels(),
        experiment.options().probes(),
        experiment.published(),
        Optional.of(experiment.variants().onlyFull()),
        Optional.of(experiment.testbed().hosts()),
        driver,
        plan.groups());
  }

  public List<TrialSpec> trials() {
    return groups.stream().flatMap(group -> group.trials().stream()).toList();
  }
}
