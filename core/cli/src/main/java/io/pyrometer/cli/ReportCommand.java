package io.pyrometer.cli;

import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.ResultFiles;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Files;
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
    RunFolder folder = RunFolder.find(runs, run);
    if (Files.isWritable(folder.path())) {
      return Execution.show(this, ResultFiles.write(folder), verbose);
    }
    int code = Execution.show(this, RunReport.of(RunRecord.load(folder)), verbose);
    people().println("The folder is read-only: the files in it are not written again.");
    return code;
  }
}
