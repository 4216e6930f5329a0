package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.host.HostCheck;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer hosts check}. */
@Command(
    name = "hosts",
    mixinStandardHelpOptions = true,
    description = "Looks after the hosts of an experiment.",
    subcommands = HostsCommand.Check.class)
final class HostsCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** Checks all hosts at once. */
  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description =
          "Checks all hosts of an experiment at once: Java, memory, disk, clock, settings of the"
              + " system, ports, round trips and bandwidth between every pair, and what to mend."
              + " 'run' does so first, without measuring.",
      footer = {
        "",
        "Example:",
        "  pyrometer hosts check mine.yaml",
        "",
        "Exit code: 0 a run can start, 1 it cannot, 2 invalid input."
      })
  static final class Check implements Callable<Integer> {
    private static final int MAX_PAIRS = 20;

    @Spec CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FILE", description = "An experiment with 'hosts'.")
    String file = "";

    @Mixin JsonOption form = new JsonOption();

    @Override
    public Integer call() {
      Experiment experiment = ExperimentReader.read(file, Home.catalogue());
      List<Host> hosts = experiment.testbed().hosts();
      if (hosts.isEmpty() || hosts.contains(Host.NAMESPACES)) {
        throw RunException.of(
            "%s names no hosts of its own, so that there is nothing to check; name them under 'hosts'.",
            file);
      }
      List<HostCheck> checks = HostCheck.of(hosts, true);
      PrintWriter out = form.people(spec.commandLine());
      Console.table(out, table(checks));
      links(checks, out);
      Stream.concat(
              checks.stream().flatMap(check -> check.errors().stream()).map(e -> "! " + e),
              warnings(checks).stream().map(w -> "- " + w))
          .forEach(line -> out.println(Console.wrapped(line).replace("\n", "\n  ")));
      boolean usable = checks.stream().allMatch(check -> check.errors().isEmpty());
      out.println(usable ? "A run can start on these hosts." : "A run cannot start: see '!'.");
      out.flush();
      form.print(spec.commandLine(), checks);
      return usable ? Main.OK : Main.TRIALS_NOT_RIGHT;
    }

    /** What is noted of each host; the same of several in one sentence. */
    static List<String> warnings(List<HostCheck> checks) {
      List<String> sentences = new ArrayList<>();
      Map<String, List<String>> namesBySame = new LinkedHashMap<>();
      for (HostCheck check : checks) {
        String of = "Host " + check.host().name() + " ";
        for (String warning : check.warnings()) {
          if (warning.startsWith(of)) {
            ListsByKey.add(namesBySame, warning.substring(of.length()), check.host().name());
          } else {
            sentences.add(warning);
          }
        }
      }
      namesBySame.forEach(
          (what, names) ->
              sentences.add(
                  (names.size() == 1 ? "Host" : "Each of")
                      + " %s %s".formatted(Phrases.and(names), what)));
      return sentences;
    }

    private static Table table(List<HostCheck> checks) {
      return Table.ofWords(
          List.of("host", "Java", "cores", "free memory", "free disk", "clock"),
          checks.stream().map(Check::row).toList());
    }

    private static List<String> row(HostCheck check) {
      return List.of(
          check.host().name(),
          fact(check, "java")
              .map(java -> java.replaceAll(".*\"(.*)\".*", "$1"))
              .orElse(Table.ABSENT),
          fact(check, "cores").orElse(Table.ABSENT),
          fact(check, "memory").map(Check::gibibytes).orElse(Table.ABSENT),
          fact(check, "disk").map(Check::gibibytes).orElse(Table.ABSENT),
          check
              .clock()
              .map(
                  is ->
                      String.format(
                          Locale.ROOT, "%+.1f ± %.1f ms", is.ahead() * 1e3, is.error() * 1e3))
              .orElse(Table.ABSENT));
    }

    /** Every pair, the slowest first. */
    private static void links(List<HostCheck> checks, PrintWriter out) {
      List<Pair> pairs = new ArrayList<>();
      for (int i = 0; i < checks.size(); i++) {
        for (int j = i + 1; j < checks.size(); j++) {
          pairs.add(new Pair(checks.get(i), checks.get(j)));
        }
      }
      if (pairs.isEmpty()) {
        return;
      }
      pairs.sort(Comparator.comparingDouble(Pair::leastBits));
      Console.table(
          out,
          Table.ofWords(
              List.of("pair", "round trip", "bandwidth there", "and back"),
              pairs.stream().limit(MAX_PAIRS).map(Pair::row).toList()));
      if (pairs.size() > MAX_PAIRS) {
        out.println("The slowest of %d pairs; --json lists all of them.".formatted(pairs.size()));
      }
    }

    /** Two hosts, and what each measured of the way to the other. */
    private record Pair(HostCheck a, HostCheck b) {
      private Optional<HostCheck.Link> there() {
        return Optional.ofNullable(a.links().get(b.host().name()));
      }

      private Optional<HostCheck.Link> back() {
        return Optional.ofNullable(b.links().get(a.host().name()));
      }

      /** Not measured is slower than anything. */
      double leastBits() {
        return Math.min(bits(there()).orElse(0.0), bits(back()).orElse(0.0));
      }

      private static Optional<Double> bits(Optional<HostCheck.Link> link) {
        return link.flatMap(HostCheck.Link::bitsPerSecond);
      }

      List<String> row() {
        return List.of(
            a.host().name() + " – " + b.host().name(),
            Stream.of(there(), back())
                .flatMap(Optional::stream)
                .map(HostCheck.Link::roundTripMillis)
                .max(Double::compare)
                .map(millis -> String.format(Locale.ROOT, "%.2f ms", millis))
                .orElse(Table.ABSENT),
            bandwidth(there()),
            bandwidth(back()));
      }

      private String bandwidth(Optional<HostCheck.Link> link) {
        return link.isEmpty() && a.canRunPrograms() && b.canRunPrograms()
            ? "not reached"
            : bits(link).map(bits -> Numbers.shorten(bits) + "bit/s").orElse(Table.ABSENT);
      }
    }

    private static Optional<String> fact(HostCheck check, String name) {
      return Optional.ofNullable(check.facts().get(name));
    }

    private static String gibibytes(String kibibytes) {
      return String.format(Locale.ROOT, "%.1f GiB", Long.parseLong(kibibytes) / 1024.0 / 1024);
    }
  }
}
