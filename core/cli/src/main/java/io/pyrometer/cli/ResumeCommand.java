package io.pyrometer.cli;

import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.ComparisonPage;
import io.pyrometer.results.compare.RunComparison;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer resume}. */
@Command(name = "resume", mixinStandardHelpOptions = true)
final class ResumeCommand extends ReportingCommand {
  @Parameters(index = "0", paramLabel = "RUN")
  String run = "";

  @Option(names = "--verbose")
  boolean verbose;

  @Override
  public Integer call() {
    RunFolder folder = RunFolder.find(runs, run);
    PlannedRun plan = folder.plan();
    Set<String> done = folder.attempts().stream().map(TrialRecord::id).collect(Collectors.toSet());
    List<TrialSpec> left =
        plan.trials().stream().filter(trial -> !done.contains(trial.id())).toList();
    if (left.isEmpty()) {
      Console.say(people(), "Every trial of this run is made: nothing is left to measure.");
    }
    boolean search = plan.searching() || plan.tuning().isPresent();
    boolean mixed =
        !done.isEmpty() && !left.isEmpty() && !(search && RunRecord.load(folder).whole());
    double seconds = left.stream().mapToDouble(Plan::estimatedSeconds).sum();
    Optional<GridDescription> unused =
        RunPreparation.preflight(plan, folder.path(), Home.distribution());
    Environment begun = folder.read("environment.json", Environment.class);
    Environment now = RunPreparation.environment(plan, Home.distribution(), Clock.systemUTC());
    List<String> changed = new ArrayList<>(begun.differences(now));
    if (!begun.commit().equals(now.commit())) {
      changed.add("Pyrometer's commit");
    }
    if (mixed && !changed.isEmpty()) {
      Console.say(
          people(),
          "The rest is measured under other conditions than the trials so far: "
              + String.join(", ", changed)
              + ".");
    }
    if (plan.interleaving().isPresent()) {
      RunComparison found =
          InterleavedRun.runBlocks(people(), folder, plan, Optional.empty(), seconds);
      PageOutput.show(
          this,
          ComparisonPage.of(found, "./pyrometer compare " + folder.path()),
          Optional.of(ComparisonPage.brief(found)),
          folder.file(InterleavedRun.PAGE));
      return found.exitCode();
    }
    return Execution.run(this, folder, plan, Optional.empty(), seconds, verbose);
  }
}
