package io.pyrometer.cli;

import io.pyrometer.analysis.tuning.SearchSizes;
import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.KeptGuarantees;
import io.pyrometer.experiment.model.Tuning.Goal;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.TuningPlan;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.Overrides;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TuningRun;
import io.pyrometer.protocol.CoreSettings;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer tune}. */
@Command(name = "tune", mixinStandardHelpOptions = true)
final class TuneCommand extends ReportingCommand {
  @Parameters(index = "0", paramLabel = "EXPERIMENT")
  String experiment = "";

  @Option(names = "--goal", paramLabel = "GOAL")
  String goal = "throughput";

  @Option(names = "--budget", paramLabel = "TIME")
  String budget = "30m";

  @Option(names = "--keep", split = ",", paramLabel = "GUARANTEE")
  Set<String> keep = new LinkedHashSet<>();

  @Option(names = "--allow", split = ",", paramLabel = "GUARANTEE")
  Set<String> allow = new LinkedHashSet<>();

  @Mixin OverrideOptions overrides = new OverrideOptions();

  @Mixin ClassPathOption classes = new ClassPathOption();

  @Mixin AttachedGrid grid = new AttachedGrid();

  @Override
  public Integer call() {
    Distribution distribution = Home.distribution();
    Catalogue catalogue = Home.catalogue();
    classes.mustExist();
    Goal wanted =
        Goal.parse(goal)
            .orElseThrow(() -> RunException.of("--goal takes %s, not '%s'.", Goal.FORMS, goal));
    CompilerChoice compilers =
        CompilerChoice.of(List.of(experiment(wanted, catalogue)), catalogue, people());
    Experiment changed = compilers.experiment();
    Plan plan =
        TuningPlan.of(
            changed, wanted, ExperimentOptions.seconds("--budget", budget), kept(), catalogue);
    PlannedRun planned = classes.planned(plan, catalogue, compilers.arguments(line()), Map.of());
    TuningRun checked = TuningRun.of(planned);
    Console.say(people(), words(checked));
    grid.confirm(
        planned, RunPreparation.preflight(planned, runs, distribution), people(), line().getErr());
    RunFolder folder =
        RunPreparation.begin(planned, changed.source(), runs, distribution, Clock.systemUTC());
    return Execution.run(this, folder, planned, Optional.empty(), plan.estimatedSeconds(), false);
  }

  private Experiment experiment(Goal wanted, Catalogue catalogue) {
    if (overrides.blocks.isPresent()) {
      throw new RunException("--blocks: a search decides that by its --budget; leave it out.");
    }
    List<String> set = new ArrayList<>(overrides.set);
    if (wanted.rate() > 0) {
      set.add(CoreSettings.RATE.name() + "=" + Math.round(wanted.rate()));
    }
    return new Overrides(false, Optional.empty(), overrides.seed, set)
        .applyTo(ExperimentReader.read(experiment, catalogue), catalogue);
  }

  private KeptGuarantees kept() {
    Set<String> known = new TreeSet<>(KeptGuarantees.ALL.names());
    Stream.concat(keep.stream(), allow.stream())
        .filter(name -> !known.contains(name))
        .findFirst()
        .ifPresent(
            name -> {
              throw RunException.of(
                  "There is no guarantee '%s'; choose from %s.", name, String.join(", ", known));
            });
    KeptGuarantees kept = keep.isEmpty() ? KeptGuarantees.ALL : new KeptGuarantees(keep);
    return kept.without(allow);
  }

  private static String words(TuningRun run) {
    SearchSizes sizes = run.search().sizes();
    return "%d settings in at most %d trials: %d to screen them, %d to search, a race of the best %d, %d blocks of confirmation%s."
        .formatted(
            run.tuning().knobs().size(),
            run.tuning().trials(),
            1 + sizes.design() + sizes.spread(),
            sizes.search(),
            sizes.race(),
            sizes.blocks(),
            run.tuning()
                .omitted()
                .map(omitted -> "; not tuned: " + String.join(", ", omitted.settings()))
                .orElse(""));
  }
}
