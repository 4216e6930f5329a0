package io.pyrometer.cli;

import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.page.ResultFiles;
import io.pyrometer.results.page.RunReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer report}. */
@Command(name = "report", mixinStandardHelpOptions = true)
final class ReportCommand extends ReportingCommand {
  @Parameters(index = "0", paramLabel = "RUN")
  String run = "";

  @Option(names = "--verbose")
  boolean verbose;

  @Override
  public Integer call() {
    RunReport report = ResultFiles.write(RunFolder.find(runs, run));
    return report.run().plan().tuning().isPresent()
        ? TuneCommand.show(this, report.run())
        : Execution.show(this, report, verbose);
  }
}
