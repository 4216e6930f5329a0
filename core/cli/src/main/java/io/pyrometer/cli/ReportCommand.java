package io.pyrometer.cli;

import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.page.TrialPage;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer report}. */
@Command(name = "report", mixinStandardHelpOptions = true)
final class ReportCommand extends ReportingCommand {
  @Parameters(index = "0", paramLabel = "RUN")
  String run = "";

  @Option(names = "--trial", paramLabel = "ID")
  Optional<String> trial = Optional.empty();

  @Mixin VerboseOption verbose = new VerboseOption();

  @Override
  public Integer call() {
    RunFolder folder = RunFolder.find(runs, run);
    return trial.isPresent() ? ofTrial(folder, trial.get()) : ofRun(folder);
  }

  private int ofTrial(RunFolder folder, String id) {
    Path page = TrialPage.write(folder, id);
    people().println("Page: " + page.toAbsolutePath().normalize());
    form.print(line(), TrialPage.attempts(RunRecord.load(folder), id));
    return Main.OK;
  }

  private int ofRun(RunFolder folder) {
    RunReport report = RunReport.write(folder);
    if (report.run().plan().tuning().isPresent()) {
      return TuneCommand.tell(line(), form, people(), report.run());
    }
    int code = new Execution(people(), Home.distribution()).tell(report, verbose.given);
    form.print(line(), report.results());
    return code;
  }
}
