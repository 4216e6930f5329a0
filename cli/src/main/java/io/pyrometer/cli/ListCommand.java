package io.pyrometer.cli;

import io.pyrometer.experiment.Shipped;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code pyrometer list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists drivers with their access paths, bundled experiments, and past runs.")
final class ListCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin RunsOption runs = new RunsOption();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Home.distribution().drivers().forEach(driver -> driver(out, driver));
    out.println("Bundled experiments: " + String.join(", ", Shipped.experiments()));
    out.println();
    List<RunFolder> folders = RunFolder.all(runs.folder);
    if (folders.isEmpty()) {
      out.println("No runs yet in %s; 'pyrometer run' makes one.".formatted(runs.folder));
    } else {
      Console.table(
          out,
          Table.ofWords(
              List.of("run", "experiment", "trials"),
              folders.stream().map(ListCommand::run).toList()));
    }
    return Main.OK;
  }

  private static void driver(PrintWriter out, DriverDescription driver) {
    out.println(
        Console.wrapped(
            "Driver %s: %s %s. %s"
                .formatted(driver.name(), driver.product(), driver.version(), driver.summary())));
    out.println("Capabilities: " + String.join(", ", driver.capabilities()));
    Console.table(
        out,
        Table.ofWords(
            List.of("path", "job", "promises", "does"),
            driver.paths().stream().map(ListCommand::path).toList()));
    out.println();
  }

  private static List<String> path(PathDescription path) {
    return List.of(
        path.name(),
        path.job().name().toLowerCase(Locale.ROOT),
        Phrases.promises(path.guarantee()),
        path.summary());
  }

  private static List<String> run(RunFolder folder) {
    PlannedRun plan = folder.plan();
    int done = Attempts.counting(folder.trials()).size();
    return List.of(folder.path().toString(), plan.name(), done + " of " + plan.trials().size());
  }
}
