package io.pyrometer.cli;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Amount;
import io.pyrometer.report.Page;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.capacity.CapacityEstimate;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer capacity}. */
@Command(name = "capacity", mixinStandardHelpOptions = true)
final class CapacityCommand extends ReportingCommand {
  @Parameters(index = "0", paramLabel = "RUN")
  String run = "";

  @Option(names = "--rate", required = true, paramLabel = "RATE")
  String rate = "";

  @Option(names = "--path", paramLabel = "PATH")
  Optional<String> path = Optional.empty();

  @Option(names = "--cpus", defaultValue = "4")
  int cpus = 4;

  @Option(names = "--utilisation", defaultValue = "60%", paramLabel = "SHARE")
  String utilisation = "60%";

  @Override
  public Integer call() {
    RunFolder folder = RunFolder.find(runs, run);
    double share = amount("--utilisation", utilisation, Amount.SHARES, "a share such as 60%");
    if (cpus < 1 || share > 1) {
      throw BadDataException.of("--cpus must be 1 or more, and --utilisation 100%% or less.");
    }
    Page page =
        CapacityEstimate.of(
            RunRecord.load(folder),
            new CapacityEstimate.Question(
                path, amount("--rate", rate, Amount.COUNTS, "a rate such as 200k"), cpus, share),
            PageOutput.typed(line()));
    PageOutput.show(this, page, Optional.empty(), folder.file("capacity.html"));
    return Main.OK;
  }

  private static double amount(
      String option, String text, Map<String, ? extends Number> units, String form) {
    return Amount.parse(text, units)
        .map(BigDecimal::doubleValue)
        .filter(value -> value > 0)
        .orElseThrow(
            () -> BadDataException.of("%s is '%s' and must be %s, above 0.", option, text, form));
  }
}
