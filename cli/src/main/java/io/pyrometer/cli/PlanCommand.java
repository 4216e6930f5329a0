package io.pyrometer.cli;

import io.pyrometer.coordinator.run.RunExecutor;
import io.pyrometer.experiment.Group;
import io.pyrometer.experiment.Plan;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code pyrometer plan}. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = "Shows the trials of an experiment in their order, with their estimated times.",
    footer = {"", "Example:", "  pyrometer plan first-light --blocks 5"})
final class PlanCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ExperimentOptions options = new ExperimentOptions();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Plan plan = options.plan(Home.catalogue());
    List<List<String>> rows = new ArrayList<>();
    double seconds = 0;
    for (Group group : plan.groups()) {
      double trials = group.trials().stream().mapToDouble(Plan::estimatedSeconds).sum();
      double start = Plan.estimatedSeconds(group) - trials;
      rows.add(List.of("", block(group.block()), fresh(group), Console.time(seconds)));
      seconds += start;
      for (TrialSpec trial : group.trials()) {
        rows.add(
            List.of(
                String.valueOf(trial.ordinal() + 1),
                block(trial.block()),
                RunExecutor.words(trial),
                Console.time(seconds)));
        seconds += Plan.estimatedSeconds(trial);
      }
    }
    Console.table(
        out,
        new Table(
            List.of("trial", "block", "treatment", "begins at"),
            rows,
            List.of(Table.Align.RIGHT, Table.Align.RIGHT, Table.Align.LEFT, Table.Align.RIGHT)));
    out.println(
        "%d trials, %s; seed %d."
            .formatted(
                plan.trials().size(),
                Console.about(plan.estimatedSeconds()),
                plan.experiment().options().seed()));
    return Main.OK;
  }

  private static String fresh(Group group) {
    return group.commonWarmUp() > 0 ? "fresh processes, common warm-up" : "fresh processes";
  }

  private static String block(int block) {
    return String.valueOf(block + 1);
  }
}
