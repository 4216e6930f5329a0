package io.pyrometer.cli;

import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.PlannedRun.Form;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.results.compare.JudgedMetrics;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pyrometer run}. */
@Command(name = "run", mixinStandardHelpOptions = true)
final class RunCommand extends ReportingCommand {
  @Mixin ExperimentOptions options = new ExperimentOptions();

  @Mixin ClassPathOption classes = new ClassPathOption();

  @Mixin AttachedGrid grid = new AttachedGrid();

  @Option(names = "--verbose")
  boolean verbose;

  @Override
  public Integer call() {
    Distribution distribution = Home.distribution();
    Catalogue catalogue = Home.catalogue();
    Experiment possible = AvailabilityFilter.of(options.experiment(catalogue), catalogue, people());
    CompilerChoice compilers = CompilerChoice.of(List.of(possible), catalogue, people());
    Experiment asked = compilers.experiment();
    classes.mustExist();
    List<String> arguments = compilers.arguments(line());
    Map<String, Form> longer = options.longerForms(catalogue);
    PlannedRun first =
        classes.planned(Planner.plan(asked, catalogue), catalogue, arguments, longer);
    JudgedMetrics.requireThresholds(first);
    Optional<GridDescription> found = RunPreparation.preflight(first, runs, distribution);
    Experiment experiment =
        found.map(each -> AttachedGrid.fitted(asked, first, each, catalogue)).orElse(asked);
    Plan plan = Planner.plan(experiment, catalogue);
    PlannedRun planned = classes.planned(plan, catalogue, arguments, longer);
    RareOperations.of(planned).ifPresent(sentence -> Console.say(people(), sentence));
    grid.confirm(planned, found, people(), line().getErr());
    RunFolder folder =
        RunPreparation.begin(
            planned, plan.experiment().source(), runs, distribution, Clock.systemUTC());
    int code =
        Execution.run(this, folder, planned, options.within, plan.estimatedSeconds(), verbose);
    distribution.archiveClasses();
    return code;
  }
}
