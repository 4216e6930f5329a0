package io.pyrometer.cli;

import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.page.RunReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Writes a run's report, CSV and JSON again, from its folder.",
    footer = {"", "Example:", "  pyrometer report runs/20261120-221500-first-light"})
final class ReportCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "RUN", description = "A run's folder or its name.")
  String run = "";

  @Mixin JsonOption form = new JsonOption();
  @Mixin RunsOption runs = new RunsOption();

  @Override
  public Integer call() {
    RunReport report = RunReport.write(RunFolder.find(runs.folder, run));
    int code = new Execution(form.people(spec.commandLine()), Home.distribution()).tell(report);
    form.print(spec.commandLine(), report.results());
    return code;
  }
}
