package io.pyrometer.cli;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Amount;
import io.pyrometer.report.Page;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.capacity.CapacityQuestion;
import io.pyrometer.results.capacity.CapacityStudy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyrometer capacity}. */
@Command(
    name = "capacity",
    mixinStandardHelpOptions = true,
    description =
        "Estimates how many servers a rate needs, which resource limits it, and the latency, from"
            + " the service demands of a run.",
    footer = {
      "",
      "Example:",
      "  pyrometer capacity 20261122-110000-mine --path put --rate 200k --p99 5ms --cpus 4 \\",
      "    --network 10gbit --rtt 100us --data 500gb"
    })
final class CapacityCommand extends ReportingCommand {
  private static final double MIN = Double.MIN_NORMAL;

  /** With a unit, because 5 could be meant as milliseconds. */
  private static final Map<String, Double> TIMES = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0);

  private static final Map<String, Double> COUNTS = Map.of("", 1.0, "k", 1e3, "m", 1e6, "g", 1e9);

  @Parameters(index = "0", paramLabel = "RUN", description = "A run's folder or its name.")
  String run = "";

  @Option(
      names = "--rate",
      required = true,
      paramLabel = "RATE",
      description = "Records per second, such as 200k or 1.5m.")
  String rate = "";

  @Option(
      names = "--path",
      paramLabel = "PATH",
      description = "The access path, where the run measured several.")
  Optional<String> path = Optional.empty();

  @Option(
      names = "--p99",
      paramLabel = "TIME",
      description = "The longest p99 of a call, such as 5ms.")
  Optional<String> p99 = Optional.empty();

  @Option(
      names = "--cpus",
      defaultValue = "4",
      description = "CPUs of each server (default: ${DEFAULT-VALUE}).")
  int cpus = 4;

  @Option(
      names = "--network",
      defaultValue = "10gbit",
      paramLabel = "RATE",
      description = "Link of each server (default: ${DEFAULT-VALUE}).")
  String network = "10gbit";

  @Option(
      names = "--rtt",
      defaultValue = "100us",
      paramLabel = "TIME",
      description = "Round trip between machines (default: ${DEFAULT-VALUE}).")
  String roundTrip = "100us";

  @Option(names = "--backups", description = "Backup copies (default: as measured).")
  Optional<Integer> backups = Optional.empty();

  @Option(
      names = "--data",
      paramLabel = "BYTES",
      description = "Size of all records without overhead and copies, such as 500gb.")
  Optional<String> data = Optional.empty();

  @Option(
      names = "--record-bytes",
      paramLabel = "BYTES",
      description = "Size of a record in --data (default: what a copy of an entry took).")
  Optional<String> recordBytes = Optional.empty();

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      description = "Memory for data of each server, such as 64gb (default: not limited).")
  Optional<String> memory = Optional.empty();

  @Option(names = "--clients", description = "Machines with clients (default: as many as needed).")
  Optional<Integer> clients = Optional.empty();

  @Option(
      names = "--client-cpus",
      defaultValue = "4",
      description = "CPUs of each client machine (default: ${DEFAULT-VALUE}).")
  int clientCpus = 4;

  @Option(
      names = "--hottest-key",
      defaultValue = "0%",
      paramLabel = "SHARE",
      description = "Share of calls to the most popular key, such as 5%% (default: none).")
  String hottestKey = "0%";

  @Option(
      names = "--extrapolate",
      description = "Allow estimates for more than four times the measured servers.")
  boolean extrapolate;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "The page's file (default: capacity.html in the run's folder).")
  Optional<Path> html = Optional.empty();

  @Override
  public Integer call() {
    CommandLine line = line();
    RunFolder folder = RunFolder.find(runs, run);
    Page page = CapacityStudy.of(RunRecord.load(folder), ask(), PageOutput.typed(line));
    PageOutput.show(line, form, page, html.orElseGet(() -> folder.file("capacity.html")));
    return Main.OK;
  }

  private CapacityQuestion ask() {
    positive("--cpus", cpus);
    positive("--client-cpus", clientCpus);
    clients.ifPresent(count -> positive("--clients", count));
    if (backups.filter(count -> count < 0).isPresent()) {
      throw BadDataException.of("--backups is %s and must be 0 or more.", backups.get());
    }
    double share = amount("--hottest-key", hottestKey, Amount.SHARES, "a share such as 5%", 0);
    if (share > 1) {
      throw BadDataException.of("--hottest-key is '%s' and must be 100%% at most.", hottestKey);
    }
    return new CapacityQuestion(
        path,
        amount("--rate", rate, COUNTS, "a rate such as 200k", MIN),
        p99.map(text -> amount("--p99", text, TIMES, "a time such as 5ms", MIN)),
        cpus,
        amount("--network", network, Amount.RATES, "a rate such as 10gbit", MIN),
        amount("--rtt", roundTrip, TIMES, "a time such as 100us", 0),
        backups,
        data.map(text -> amount("--data", text, Amount.BYTES, "a size such as 500gb", MIN))
            .orElse(0.0),
        recordBytes.map(
            text -> amount("--record-bytes", text, Amount.BYTES, "a size such as 200", MIN)),
        memory.map(text -> amount("--memory", text, Amount.BYTES, "a size such as 64gb", MIN)),
        clients,
        clientCpus,
        share,
        extrapolate);
  }

  private static void positive(String option, int value) {
    if (value < 1) {
      throw BadDataException.of("%s is %s and must be 1 or more.", option, value);
    }
  }

  private static double amount(
      String option, String text, Map<String, ? extends Number> units, String form, double least) {
    return Amount.parse(text, units)
        .map(BigDecimal::doubleValue)
        .filter(there -> there >= least)
        .orElseThrow(
            () ->
                BadDataException.of(
                    "%s is '%s' and must be %s%s.",
                    option, text, form, least > 0 ? ", above 0" : ""));
  }
}
