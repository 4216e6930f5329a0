package io.pyrometer.cli;

import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.page.ResultFiles;
import io.pyrometer.results.page.RunReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pyrometer report}. */
@Command(name = "report", mixinStandardHelpOptions = true)
final class ReportCommand extends ReportingCommand {
  @Parameters(index = "0", paramLabel = "RUN")
  String run = "";

  @Mixin VerboseOption verbose = new VerboseOption();

  @Override
  public Integer call() {
    RunFolder folder = RunFolder.find(runs, run);
    RunReport report = ResultFiles.write(folder);
    if (report.run().plan().tuning().isPresent()) {
      return TuneCommand.tell(line(), form, people(), report.run());
    }
    int code = new Execution(people(), Home.distribution()).tell(report, verbose.given);
    form.print(line(), ResultFiles.results(report));
    return code;
  }
}
