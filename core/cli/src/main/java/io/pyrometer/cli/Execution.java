package io.pyrometer.cli;

import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.coordinator.run.RunContext;
import io.pyrometer.coordinator.run.RunExecutor;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.page.ResultFiles;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.page.RunSummary;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine;

/** Runs the remaining trials of a run's folder and reports the results. */
final class Execution {
  private final PrintWriter out;
  private final Distribution distribution;

  Execution(PrintWriter out, Distribution distribution) {
    this.out = out;
    this.distribution = distribution;
  }

  /** Runs the trials and reports the results; returns the exit code. */
  int run(
      RunFolder folder,
      PlannedRun plan,
      TrialSource source,
      double seconds,
      JsonOption form,
      boolean verbose,
      CommandLine line) {
    runTrials(folder, plan, source, seconds);
    RunReport report = ResultFiles.write(folder);
    int code = tell(report, verbose);
    form.print(line, ResultFiles.results(report));
    return code;
  }

  /** Runs the trials that are not in the journal yet. */
  void runTrials(RunFolder folder, PlannedRun plan, TrialSource source, double seconds) {
    Console.say(
        out,
        "%s, %s and repeats of disturbed trials, saved to %s"
            .formatted(size(plan), Phrases.about(seconds), folder.path()));
    ConsoleProgress progress =
        new ConsoleProgress(out, Console.terminal(), plan.tuning().isPresent() ? 1 : plan.blocks());
    Thread stopped = new Thread(() -> stopped(progress, folder), "say-how-to-resume");
    Runtime.getRuntime().addShutdownHook(stopped);
    RunExecutor.run(RunContext.of(plan, source, folder, distribution, progress));
    if (removed(stopped)) {
      progress.clear();
    }
  }

  private static String size(PlannedRun plan) {
    String trials = Console.count(plan.trials().size(), "trial");
    return plan.tuning().isPresent()
        ? "Up to %s, each on fresh processes".formatted(trials)
        : "%s in %s: %s"
            .formatted(
                Console.count(plan.trials().size() / Math.max(1, plan.blocks()), "treatment"),
                Console.count(plan.blocks(), "block"),
                trials);
  }

  /** Prints how to resume, after Ctrl-C. */
  private void stopped(ConsoleProgress progress, RunFolder folder) {
    progress.clear();
    out.println();
    out.println("Stopped; continue with: " + Home.command() + " resume " + folder.path());
    out.flush();
  }

  private static boolean removed(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException endingNow) {
      return false;
    }
  }

  /** Prints a run's results; returns the exit code. */
  int tell(RunReport report, boolean verbose) {
    out.println();
    RunSummary.of(report, Console.columns()).forEach(out::println);
    if (verbose) {
      out.println();
      out.print(RunSummary.details(report, Console.columns(), Console.rules()));
    }
    out.println();
    out.println("Report: " + report.html().toAbsolutePath().normalize());
    if (!report.run().whole()) {
      out.println(
          "Finished trials: %d of %d; continue with: %s resume %s"
              .formatted(
                  report.run().counting().size(),
                  report.run().plan().trials().size(),
                  Home.command(),
                  report.run().folder().path()));
    }
    Optional<String> failure = report.failure();
    failure.ifPresent(
        why -> Console.say(out, "Exit code %d: %s.".formatted(Main.TRIALS_NOT_RIGHT, why)));
    return failure.isEmpty() ? Main.OK : Main.TRIALS_NOT_RIGHT;
  }
}
