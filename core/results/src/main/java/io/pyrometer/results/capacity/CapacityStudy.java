package io.pyrometer.results.capacity;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.capacity.CapacityPlan;
import io.pyrometer.analysis.capacity.CapacityPlan.Need;
import io.pyrometer.analysis.capacity.CapacityPlan.Request;
import io.pyrometer.analysis.capacity.CapacityPlan.State;
import io.pyrometer.analysis.capacity.ServiceModel;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.results.CompiledByC1;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.NextStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** How many servers of its own a rate needs, from the service demands of a run. */
public final class CapacityStudy {
  /** Beyond this multiple of the largest number of servers that was measured, none is predicted. */
  private static final int FARTHEST = 4;

  private static final int MORE_BLOCKS = 5;
  private static final double TEN_TIMES = 10;

  private final RunRecord run;
  private final CapacityQuestion ask;
  private final MeasuredPath path;
  private final CapacityPlan pooled;
  private final Request request;
  private final PlanEstimates estimates;
  private final CrossValidation heldOut;

  private CapacityStudy(RunRecord run, CapacityQuestion ask) {
    this.run = run;
    this.ask = ask;
    List<MeasuredPath> paths = MeasuredPath.of(run);
    this.path = chosen(paths, ask.path());
    if (path.demands().stream().map(TrialDemands::servers).distinct().count() < 2) {
      throw BadDataException.of(
          "Every valid trial of %s ran on %s, so the run does not tell what more of them change; run it again with --nodes 1..3.",
          path.label(), Figures.count(path.mostServers(), "server"));
    }
    this.pooled = plan(path.model(path.demands()));
    List<CapacityPlan> single = path.models().stream().map(this::plan).toList();
    this.request = request();
    this.heldOut = CrossValidation.of(paths);
    this.estimates =
        new PlanEstimates(pooled, single.size() > 1 ? single : List.of(pooled), request, heldOut);
  }

  /**
   * The page that answers.
   *
   * @param command as typed
   * @throws BadDataException in one sentence, if the run has no demands, does not carry the answer,
   *     or no number of servers reaches the rate
   */
  public static Page of(RunRecord run, CapacityQuestion ask, String command) {
    return new CapacityStudy(run, ask).page(command);
  }

  private static MeasuredPath chosen(List<MeasuredPath> paths, Optional<String> asked) {
    if (asked.isEmpty() && paths.size() == 1) {
      return paths.get(0);
    }
    String labels =
        paths.stream().map(p -> "'" + p.label() + "'").collect(Collectors.joining(", "));
    if (asked.isEmpty()) {
      throw BadDataException.of(
          "The run measured several paths, %s: say which one with --path.", labels);
    }
    return paths.stream()
        .filter(p -> p.label().equals(asked.get()))
        .findFirst()
        .orElseThrow(
            () ->
                BadDataException.of(
                    "The run has no valid trials of the path '%s', only of %s.",
                    asked.get(), labels));
  }

  private CapacityPlan plan(ServiceModel model) {
    return new CapacityPlan(model, path.testbed(), path.footprint(model));
  }

  private Request request() {
    int measuredBackups = path.demands().stream().mapToInt(TrialDemands::backups).max().orElse(0);
    int backups = ask.backups().orElse(measuredBackups);
    if (backups > measuredBackups) {
      throw BadDataException.of(
          "The run measured up to %s, so it cannot tell what %s cost; run it with --set backups=%s.",
          Figures.count(measuredBackups, "backup"), Figures.count(backups, "backup"), backups);
    }
    double perCopy = path.bytesPerCopy();
    if (ask.dataBytes() > 0 && perCopy == 0) {
      throw new BadDataException(
          "The run did not measure the memory of an entry, because the product does not tell it; leave --data out.");
    }
    double entries = ask.dataBytes() / ask.recordBytes().orElse(Math.max(perCopy, 1));
    return new Request(
        ask.recordsPerSecond() / path.recordsPerCall(),
        ask.p99Seconds(),
        ask.cpus(),
        ask.linkBitsPerSecond() / 8,
        ask.roundTripSeconds(),
        backups,
        entries * perCopy * (1 + backups),
        ask.memoryBytes(),
        ask.clients(),
        ask.clientCpus(),
        ask.hottestShare());
  }

  private Page page(String command) {
    Need need = need(request);
    int n = need.servers();
    List<Finding> findings = new ArrayList<>();
    findings.add(answer(need));
    if (!heldOut.refuted()) {
      findings.add(latency(n));
    }
    findings.add(memory(n));
    if (!heldOut.refuted()) {
      findings.add(tenTimes());
      findings.add(death(n));
    }
    findings.add(heldOut.holds() ? findings.size() : 1, check());
    CompiledByC1.finding(path.demands().stream().map(TrialDemands::trial).toList())
        .ifPresent(findings::add);
    long disturbed = path.demands().stream().filter(d -> d.trial().disturbed()).count();
    if (disturbed > 0) {
      findings.add(
          Finding.notice(
              Kind.DISTURBED,
              "%d of the %s behind these demands %s disturbed by the machine, which can make calls"
                      .formatted(
                          disturbed,
                          Figures.count(path.demands().size(), "trial"),
                          disturbed == 1 ? "was" : "were")
                  + " look more expensive than they are.",
              "A run on a machine that does nothing else."));
    }
    if (estimates.blocks().size() < 2) {
      findings.add(
          Finding.notice(
              Kind.NOT_ENOUGH_RUNS,
              "The demands are of one block that has all numbers of servers: no confidence intervals.",
              "A run with --blocks 3 or more."));
    }
    if (pooled.footprint().serverBytes() == 0) {
      findings.add(
          Finding.notice(
              Kind.ESTIMATE,
              "Links are not judged: the bytes of a call were not counted.",
              "A product without Netty's native transport."));
    }
    if (!heldOut.holds()) {
      findings.add(NextStep.forModel(run, Math.max(MORE_BLOCKS, 2 * run.blocksSeen())));
    }
    List<Section> sections = new ArrayList<>();
    sections.add(estimates.loads(n));
    sections.add(estimates.demands(path.recordsPerCall()));
    sections.add(Section.of("check", "The model's own check", heldOut.sentence(), heldOut.table()));
    return new Page(
        run.plan().name() + ": capacity",
        "How many servers carry %s records a second with %s?"
            .formatted(Figures.plain(ask.recordsPerSecond()), path.label()),
        "from the service demands of %s, %s in %s, up to %s"
            .formatted(
                run.folder().path().getFileName(),
                Figures.count(path.demands().size(), "trial"),
                Figures.count(run.blocksSeen(), "block"),
                Figures.count(path.mostServers(), "server")),
        findings,
        sections,
        List.of(new Page.Command("Regenerate this page", command)));
  }

  private Need need(Request of) {
    Need need = pooled.need(of);
    int farthest = FARTHEST * path.mostServers();
    if (need.servers() > farthest && !ask.beyond()) {
      throw BadDataException.of(
          "%s records a second take about %s, and the run measured up to %s: beyond %s it is not predicted; measure with more servers, or add --extrapolate for an extrapolated estimate.",
          Figures.plain(of.callsPerSecond() * path.recordsPerCall()),
          Figures.count(need.servers(), "server"),
          path.mostServers(),
          farthest);
    }
    return need;
  }

  /** The number of servers with its interval over the blocks. */
  private Estimate servers(Request of, Need need) {
    try {
      Estimate estimate =
          estimates.predicted(
              "servers", heldOut.throughputError(), plan -> (double) plan.need(of).servers());
      return estimate.hasInterval()
          ? new Estimate(
              need.servers(),
              Math.max(1, Math.floor(estimate.low())),
              Math.ceil(estimate.high()),
              estimate.confidence(),
              estimate.replicates(),
              "servers")
          : estimate;
    } catch (BadDataException someBlockCannot) {
      return Estimate.unreplicated(need.servers(), "servers");
    }
  }

  private static String interval(Estimate estimate) {
    if (estimate.tooWide()) {
      return " [too few blocks]";
    }
    return estimate.hasInterval()
        ? " [%s, %s]".formatted(Figures.plain(estimate.low()), Figures.plain(estimate.high()))
        : "";
  }

  private String extrapolated(int servers) {
    return servers > path.mostServers()
        ? " (extrapolated from %d)".formatted(path.mostServers())
        : "";
  }

  private Finding answer(Need need) {
    Estimate servers = servers(request, need);
    Estimate clients =
        estimates.predicted("CPUs", heldOut.throughputError(), plan -> plan.clientCpus(request));
    boolean rough = servers.tooWide() || !heldOut.holds();
    boolean refuted = heldOut.refuted();
    return new Finding(
        Kind.SCALABILITY,
        refuted ? Severity.WARNING : rough ? Severity.NOTICE : Severity.INFO,
        "%s%s%s %s%s with %s each, used to at most 80 %%, %s %s records a second; %s decides that number%s, and the clients need %s%s CPUs. Locks and queues inside the product are not modelled."
            .formatted(
                refuted
                    ? "No answer: of the cells that are left out of the fit, fewer than half are predicted. By the model, "
                    : rough ? "Roughly " : "",
                Figures.plain(need.servers()),
                interval(servers),
                need.servers() == 1 ? "server" : "servers",
                extrapolated(need.servers()),
                Figures.count(ask.cpus(), "CPU"),
                need.servers() == 1 ? "carries" : "carry",
                Figures.plain(ask.recordsPerSecond()),
                need.limit().words(),
                need.servers() > 1 && !outlives(need.servers())
                    ? "; plan for %d so that one may die".formatted(need.servers() + 1)
                    : "",
                Figures.plain(clients.value()),
                interval(clients)),
        Finding.estimates("servers", servers, "CPUs of clients", clients),
        "Demands of warmer code, other records, or a run on such machines.");
  }

  private Finding latency(int n) {
    Map<String, Estimate> times = new LinkedHashMap<>();
    estimates.millis(n, State::p50Seconds).ifPresent(p50 -> times.put("p50", p50));
    estimates.millis(n, State::p99Seconds).ifPresent(p99 -> times.put("p99", p99));
    List<String> parts =
        times.entrySet().stream()
            .map(time -> time.getKey() + " " + Numbers.estimateWithUnit(time.getValue()))
            .toList();
    return new Finding(
        Kind.LATENCY,
        parts.isEmpty() ? Severity.WARNING : Severity.INFO,
        parts.isEmpty()
            ? "No trial of this path has enough calls for a percentile, so no latency is predicted."
            : "Predicted latency of a call with %s: %s, at %s of the servers' CPUs."
                .formatted(
                    Figures.count(n, "server"),
                    String.join(", ", parts),
                    Figures.percent(pooled.with(n, request).cpu())),
        times,
        "Trials at a rate (open loop) on such machines.");
  }

  private Finding memory(int n) {
    double perCopy = path.bytesPerCopy();
    if (ask.dataBytes() <= 0) {
      return Finding.info(
          Kind.ESTIMATE,
          perCopy > 0
              ? "A copy of an entry took %s bytes of memory with index and pages; give --data for the memory of the servers."
                  .formatted(Figures.plain(perCopy))
              : "The memory of an entry was not measured.",
          "A run with other records.");
    }
    return Finding.info(
        Kind.ESTIMATE,
        "The data take %s GB with %s, %s GB on each of %s at %s bytes for a copy of an entry, the heap of each JVM not counted."
            .formatted(
                Figures.plain(request.storedBytes() / 1e9),
                Figures.count(request.backups() + 1L, "copy").replace("copys", "copies"),
                Figures.plain(request.storedBytes() / n / 1e9),
                Figures.count(n, "server"),
                Figures.plain(perCopy)),
        "Other records; one measurement for each number of servers and block.");
  }

  private Finding tenTimes() {
    Request ten = request.at(request.callsPerSecond() * TEN_TIMES);
    String sentence;
    try {
      Need need = pooled.need(ten);
      boolean paper = need.servers() > FARTHEST * path.mostServers();
      sentence =
          paper
              ? "Ten times the rate takes more than %d servers, which is beyond four times what was measured%s."
                  .formatted(
                      FARTHEST * path.mostServers(),
                      ask.beyond()
                          ? "; on paper %d%s"
                              .formatted(need.servers(), interval(servers(ten, need)))
                          : "")
              : "Ten times the rate takes %d%s %s; %s decides that number."
                  .formatted(
                      need.servers(),
                      interval(servers(ten, need)),
                      need.servers() == 1 ? "server" : "servers",
                      need.limit().words());
    } catch (BadDataException impossible) {
      sentence =
          "Ten times the rate: " + Finding.afterColon(String.valueOf(impossible.getMessage()));
    }
    return Finding.info(Kind.SCALABILITY, sentence, "A run with more servers.");
  }

  private Finding death(int n) {
    String copies =
        request.backups() == 0
            ? " Without a backup the entries of that server, 1 in %d, are lost.".formatted(n)
            : n - 1 <= request.backups()
                ? " Until another server joins, writes make %d of %d copies, which costs less."
                    .formatted(n - 1, request.backups() + 1)
                : "";
    if (n < 2) {
      return Finding.warning(
          Kind.SCALABILITY, "If the one server dies, nothing is left." + copies, "Another server.");
    }
    State left = pooled.with(n - 1, request);
    String p99 =
        left.p99Seconds()
            .map(s -> ", with a p99 of " + Figures.plain(round(s * 1e3)) + " ms")
            .orElse("");
    boolean kept = outlives(n);
    String sentence =
        "If a server dies at this rate, the %s %s of %s CPUs%s: %s.%s"
            .formatted(
                n == 2 ? "other one uses" : "other %d use".formatted(n - 1),
                Figures.percent(left.cpu()),
                n == 2 ? "its" : "their",
                p99,
                kept ? "enough" : "not enough, so plan for %d".formatted(n + 1),
                copies);
    return new Finding(
        Kind.SCALABILITY,
        kept ? Severity.INFO : Severity.WARNING,
        sentence,
        Map.of(),
        "A probe that kills a server under load: moving its data costs CPU time that is not in these figures.");
  }

  /** Whether the other servers carry the rate when one of so many dies. */
  private boolean outlives(int servers) {
    State left = pooled.with(servers - 1, request);
    return left.carries()
        && (ask.p99Seconds().isEmpty()
            || left.p99Seconds().filter(s -> s <= ask.p99Seconds().get()).isPresent());
  }

  private static double round(double millis) {
    return Math.rint(millis * 100) / 100;
  }

  private Finding check() {
    return new Finding(
        Kind.ESTIMATE,
        heldOut.holds() ? Severity.INFO : Severity.WARNING,
        heldOut.sentence()
            + (heldOut.holds()
                ? ""
                : " That is fewer than nine of ten: take the figures as orders of magnitude."),
        Map.of(),
        "A run with more cells, longer trials or warmer code.");
  }
}
