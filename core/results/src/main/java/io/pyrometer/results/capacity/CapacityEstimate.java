package io.pyrometer.results.capacity;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.page.Limitations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Number of servers for a rate by the utilisation law (Denning and Buzen 1978): rate × demand ÷
 * (CPUs × target utilisation), rounded up, plus one for a failure.
 */
public final class CapacityEstimate {
  private static final double MICROS = 1e6;

  /** Estimates for more than so many times the measured servers are marked. */
  private static final int FAR = 4;

  /** Settings of the load, which do not change the work of a record. */
  private static final Set<String> OF_LOAD =
      Set.of(
          CoreSettings.NODES.name(),
          CoreSettings.AGENTS.name(),
          CoreSettings.THREADS.name(),
          CoreSettings.THREADS_PER_NODE.name(),
          CoreSettings.COMMON_WARM_UP.name(),
          CoreSettings.RATE.name(),
          CoreSettings.ARRIVAL.name());

  private CapacityEstimate() {}

  /**
   * A question.
   *
   * @param path access path as the run labels it; empty where the run has one
   * @param rate records per second, above 0
   * @param cpus of a server, at least 1
   * @param utilisation target of the servers' CPUs, above 0 and at most 1
   */
  public record Question(Optional<String> path, double rate, int cpus, double utilisation) {}

  /** A role: CPU time of one record on all its processes, and their number or CPUs. */
  private record Role(String name, Estimate micros, String needed) {}

  /**
   * Answers from the valid trials that were not oversubscribed, of those with the most servers.
   *
   * @param command as typed, to regenerate the page
   * @throws BadDataException in one sentence, if the run did not measure what is asked
   */
  public static Page of(RunRecord run, Question asked, String command) {
    Map<String, List<TrialDemands>> paths = paths(run);
    String path = path(paths, asked.path());
    List<TrialDemands> all = paths.getOrDefault(path, List.of());
    List<TrialDemands> usable = all.stream().filter(d -> !d.trial().oversubscribed()).toList();
    if (usable.isEmpty()) {
      throw BadDataException.of(
          "Every trial of '%s' was oversubscribed, so its CPU time is not that of a server with CPUs of its own: measure at a lower rate, with --set rate=RATE.",
          path);
    }
    int servers = usable.stream().mapToInt(TrialDemands::servers).max().orElse(1);
    List<TrialDemands> demands = usable.stream().filter(d -> d.servers() == servers).toList();
    Estimate server = micros(demands, TrialDemands::serverSeconds);
    Estimate client = micros(demands, TrialDemands::clientSeconds);
    int needed = servers(asked, server.value());
    String interval =
        server.hasInterval()
            ? " [%d, %d]".formatted(servers(asked, server.low()), servers(asked, server.high()))
            : "";
    double clientCpus = asked.rate() * client.value() / MICROS / asked.utilisation();
    List<Role> roles =
        List.of(
            new Role("servers", server, "%d%s + 1".formatted(needed, interval)),
            new Role("clients", client, Numbers.shorten(clientCpus) + " CPUs"));
    List<Finding> findings = new ArrayList<>();
    findings.add(
        Finding.info("capacity.servers")
            .with("servers", needed)
            .with("spare", needed + 1L)
            .with("rate", Value.rate(asked.rate()))
            .with("cpus", asked.cpus())
            .with("utilisation", Value.share(asked.utilisation()))
            .with("path", path)
            .with("CPU time of servers", server)
            .with("CPU time of clients", client));
    findings.add(
        (needed > FAR * servers
                ? Finding.notice("capacity.extrapolated")
                : Finding.notice("capacity.assumption"))
            .with("servers", servers));
    findings.addAll(Limitations.of(run));
    return new Page(
        run.plan().name(),
        "How many servers does %s records/s need?".formatted(Figures.plain(asked.rate())),
        "",
        findings,
        List.of(
            Texts.section(
                "capacity",
                new MetricTable<Role>()
                    .text("role", Role::name)
                    .formatted("demand, µs/record", role -> Numbers.shorten(role.micros().value()))
                    .formatted("95 %", role -> Numbers.interval(role.micros()))
                    .formatted(
                        "CPUs at this rate",
                        role -> Numbers.shorten(asked.rate() * role.micros().value() / MICROS))
                    .text("needed", Role::needed)
                    .figure("Demands of %s".formatted(path), roles))),
        List.of(new Page.Command("Estimate again", command)));
  }

  private static int servers(Question asked, double micros) {
    return (int)
        Math.max(
            1, Math.ceil(asked.rate() * micros / MICROS / (asked.cpus() * asked.utilisation())));
  }

  private static Estimate micros(List<TrialDemands> demands, ToDoubleFunction<TrialDemands> of) {
    return Means.geometric(
        demands.stream().mapToDouble(d -> MICROS * of.applyAsDouble(d)).toArray(), "µs");
  }

  /** Demands by treatment; trials that differ in their load alone are of one treatment. */
  private static Map<String, List<TrialDemands>> paths(RunRecord run) {
    Map<String, List<TrialDemands>> paths = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      Map<String, String> levels = new LinkedHashMap<>(trial.levels());
      levels.keySet().removeAll(OF_LOAD);
      String path =
          Labels.of(levels, trial.settings().find(CoreSettings.PATH).orElse("all trials"));
      TrialDemands.of(run.plan(), trial).ifPresent(d -> ListsByKey.add(paths, path, d));
    }
    if (paths.isEmpty()) {
      throw BadDataException.of(
          "The run %s has no valid trial with the CPU time of clients and servers; run it again on servers that Pyrometer starts.",
          run.plan().name());
    }
    return paths;
  }

  private static String path(Map<String, List<TrialDemands>> paths, Optional<String> asked) {
    List<String> matching =
        paths.keySet().stream()
            .filter(
                label ->
                    asked.isEmpty()
                        || label.equals(asked.get())
                        || label.startsWith(asked.get() + " · "))
            .toList();
    if (matching.size() == 1) {
      return matching.get(0);
    }
    throw BadDataException.of(
        "%s: name one of %s with --path.",
        matching.isEmpty()
            ? "The run did not measure '%s' alone".formatted(asked.orElse(""))
            : "The run measured several kinds of work",
        String.join(", ", new TreeSet<>(paths.keySet())));
  }
}
