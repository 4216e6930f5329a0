package io.pyrometer.cli;

import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.GridDescription;
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
    List<TrialRecord> made = folder.trials();
    boolean unprobed = !plan.experiment().probes().isEmpty() && folder.probes().isEmpty();
    boolean left = unprobed || TrialSource.of(plan).next(made).isPresent();
    if (!left) {
      Console.say(people(), "Every trial of this run is made: nothing is left to measure.");
    }
    Set<String> done = made.stream().map(TrialRecord::id).collect(Collectors.toSet());
    double seconds =
        plan.trials().stream()
            .filter(trial -> !done.contains(trial.id()))
            .mapToDouble(Plan::estimatedSeconds)
            .sum();
    Optional<GridDescription> unused =
        RunPreparation.preflight(plan, folder.path(), Home.distribution());
    Environment begun = folder.read("environment.json", Environment.class);
    Environment now = RunPreparation.environment(plan, Home.distribution(), Clock.systemUTC());
    List<String> changed = new ArrayList<>(begun.differences(now));
    if (!begun.commit().equals(now.commit())) {
      changed.add("Pyrometer's commit");
    }
    if (left && !made.isEmpty() && !changed.isEmpty()) {
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
