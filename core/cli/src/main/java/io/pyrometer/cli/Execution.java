package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.coordinator.run.RunContext;
import io.pyrometer.coordinator.run.RunExecutor;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.BriefText;
import io.pyrometer.report.Page;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.ResultFiles;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.page.RunSummary;
import io.pyrometer.results.tuning.TuningPage;
import io.pyrometer.results.tuning.TuningResult;
import io.pyrometer.results.tuning.TuningResult.ConfigurationDiff;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.Optional;

/** Runs the remaining trials of a run's folder and reports the results. */
final class Execution {
  private Execution() {}

  /**
   * Runs the trials that are not in the journal yet and shows the results; returns the exit code.
   */
  static int run(
      ReportingCommand command,
      RunFolder folder,
      PlannedRun plan,
      Optional<String> within,
      double seconds,
      boolean verbose) {
    TrialSource source = ExperimentOptions.bounded(within, 1, TrialSource.of(plan));
    runTrials(command.people(), folder, plan, source, seconds);
    return show(command, ResultFiles.write(folder), verbose);
  }

  /** Runs the trials that are not in the journal yet. */
  static void runTrials(
      PrintWriter out, RunFolder folder, PlannedRun plan, TrialSource source, double seconds) {
    Console.say(
        out,
        "%s, %s and repeats of disturbed trials, saved to %s"
            .formatted(size(plan), Phrases.about(seconds), folder.path()));
    ConsoleProgress progress =
        new ConsoleProgress(out, Console.terminal(), plan.tuning().isPresent() ? 1 : plan.blocks());
    Thread stopped = new Thread(() -> stopped(out, progress, folder), "say-how-to-resume");
    Runtime.getRuntime().addShutdownHook(stopped);
    try {
      RunExecutor.run(RunContext.of(plan, source, folder, Home.distribution(), progress));
    } finally {
      if (removed(stopped)) {
        progress.clear();
      }
    }
  }

  private static String size(PlannedRun plan) {
    String trials = Figures.count(plan.trials().size(), "trial");
    return plan.tuning().isPresent()
        ? "Up to %s, each on fresh processes".formatted(trials)
        : "%s in %s: %s"
            .formatted(
                Figures.count(plan.trials().size() / Math.max(1, plan.blocks()), "treatment"),
                Figures.count(plan.blocks(), "block"),
                trials);
  }

  /** Prints how to resume, after Ctrl-C. */
  private static void stopped(PrintWriter out, ConsoleProgress progress, RunFolder folder) {
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
  static int show(JsonCommand command, RunReport report, boolean verbose) {
    if (report.run().plan().tuning().isPresent()) {
      return showSearch(command, report.run());
    }
    PrintWriter out = command.people();
    out.println();
    RunSummary.of(report, Console.columns()).forEach(out::println);
    if (verbose) {
      out.println();
      out.print(RunSummary.details(report, Console.columns(), Console.rules()));
    }
    out.println();
    PageOutput.named(out, report.html());
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
    command.print(ResultFiles.results(report));
    return failure.isEmpty() ? Main.OK : Main.TRIALS_NOT_RIGHT;
  }

  private static int showSearch(JsonCommand command, RunRecord run) {
    TuningResult result = TuningResult.of(run);
    RunFolder folder = run.folder();
    Page page =
        TuningPage.of(result, Home.command() + " " + String.join(" ", run.plan().arguments()));
    Optional<BriefText> brief = Optional.of(TuningPage.brief(result));
    Optional<ConfigurationDiff> diff = result.chosen().map(result::diff);
    PrintWriter people = command.people();
    if (Files.isWritable(folder.path())) {
      PageOutput.show(command, page, brief, folder.file("tuning.html"));
      diff.ifPresent(found -> folder.writeText("best.yaml.diff", found.yaml() + "\n"));
      diff.ifPresent(found -> people.println("File: " + folder.file("best.yaml.diff")));
    } else {
      PageOutput.print(command, page, brief);
      PageOutput.named(people, folder.file("tuning.html"));
    }
    diff.ifPresent(
        found -> people.println("Use it: " + Home.command() + " run " + found.command(run.plan())));
    people.flush();
    return diff.isPresent() ? Main.OK : Main.NOT_ENOUGH;
  }
}
