package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pyrometer plan}. */
@Command(name = "plan", mixinStandardHelpOptions = true)
final class PlanCommand extends JsonCommand {
  @Mixin ExperimentOptions options = new ExperimentOptions();
  @Mixin PreflightOptions preflight = new PreflightOptions();

  /** The plan for programs; times are estimates in seconds. */
  private record Planned(String name, long seed, double seconds, List<PlannedTrial> trials) {}

  private record PlannedTrial(
      String id, int block, String path, Map<String, String> levels, double beginsAtSeconds) {}

  @Override
  public Integer call() {
    Catalogue catalogue = Home.catalogue();
    PrintWriter people = people();
    Experiment possible = AvailabilityFilter.of(options.experiment(catalogue), catalogue, people);
    Plan plan =
        Planner.plan(
            CompilerChoice.of(List.of(possible), catalogue, people).experiment(), catalogue);
    preflight.tryOut(plan, catalogue, people);
    List<List<String>> rows = new ArrayList<>();
    List<PlannedTrial> trials = new ArrayList<>();
    double seconds = 0;
    for (Group group : plan.groups()) {
      double own = group.trials().stream().mapToDouble(Plan::estimatedSeconds).sum();
      double start = Plan.estimatedSeconds(group) - own;
      rows.add(List.of("", block(group.block()), fresh(group), Console.time(seconds)));
      seconds += start;
      for (TrialSpec trial : group.trials()) {
        rows.add(
            List.of(
                String.valueOf(trial.ordinal() + 1),
                block(trial.block()),
                Labels.of(trial),
                Console.time(seconds)));
        trials.add(
            new PlannedTrial(trial.id(), trial.block() + 1, trial.path(), trial.levels(), seconds));
        seconds += Plan.estimatedSeconds(trial);
      }
    }
    long seed = plan.experiment().options().seed();
    if (json) {
      print(new Planned(plan.experiment().name(), seed, plan.estimatedSeconds(), trials));
      return Main.OK;
    }
    Console.table(
        people,
        new Table(
            List.of("trial", "block", "treatment", "begins at"),
            rows,
            List.of(Table.Align.RIGHT, Table.Align.RIGHT, Table.Align.LEFT, Table.Align.RIGHT)));
    people.println(
        "%s, %s%s; seed %d."
            .formatted(
                Figures.count(plan.trials().size(), "trial"),
                Phrases.about(plan.estimatedSeconds()),
                plan.probeSeconds() > 0
                    ? ", of which guarantee probes " + Phrases.about(plan.probeSeconds())
                    : "",
                seed));
    return Main.OK;
  }

  private static String fresh(Group group) {
    return group.commonWarmUp() > 0 ? "fresh processes, common warm-up" : "fresh processes";
  }

  private static String block(int block) {
    return String.valueOf(block + 1);
  }
}
