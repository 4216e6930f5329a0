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
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How many servers of its own a rate needs, from the service demands of a run. */
public final class CapacityStudy {
  private static final double CONFIDENCE = 0.95;

  /** Beyond this multiple of the largest number of servers that was measured, none is predicted. */
  private static final int FARTHEST = 4;

  private static final double TEN_TIMES = 10;

  /**
   * What is asked, in records rather than calls.
   *
   * @param path whose trials are taken; empty where the run has one alone
   * @param recordsPerSecond offered
   * @param p99Seconds limit; empty for none
   * @param cpus of each server
   * @param linkBitsPerSecond of each server
   * @param roundTripSeconds between machines
   * @param backups copies besides the primary one; empty for as many as were measured
   * @param dataBytes of records, without overhead and copies; 0 where memory is not asked
   * @param recordBytes of a record as the user counts them; empty for what one copy took
   * @param memoryBytes for data on each server; empty where it is not limited
   * @param clients machines with clients; empty for as many as are needed
   * @param clientCpus of each of them
   * @param hottestShare of the calls that go to the most popular key
   * @param beyond whether to predict more servers than four times the measured ones, on paper
   */
  public record Ask(
      Optional<String> path,
      double recordsPerSecond,
      Optional<Double> p99Seconds,
      int cpus,
      double linkBitsPerSecond,
      double roundTripSeconds,
      Optional<Integer> backups,
      double dataBytes,
      Optional<Double> recordBytes,
      Optional<Double> memoryBytes,
      Optional<Integer> clients,
      int clientCpus,
      double hottestShare,
      boolean beyond) {}

  private final RunRecord run;
  private final Ask ask;
  private final MeasuredPath path;
  private final List<CapacityPlan> blocks;
  private final CapacityPlan pooled;
  private final Request request;
  private final CrossValidation heldOut;

  private CapacityStudy(RunRecord run, Ask ask) {
    this.run = run;
    this.ask = ask;
    List<MeasuredPath> paths = MeasuredPath.of(run);
    this.path = chosen(paths, ask.path);
    if (path.demands().stream().map(TrialDemands::servers).distinct().count() < 2) {
      throw BadDataException.of(
          "Every valid trial of %s ran on %s, so the run does not tell what more of them change;"
              + " run it again with --nodes 1..3.",
          path.label(), Figures.count(path.mostServers(), "server"));
    }
    this.pooled = plan(path.model(path.demands()));
    List<CapacityPlan> single = path.models().stream().map(this::plan).toList();
    this.blocks = single.size() > 1 ? single : List.of(pooled);
    this.request = request();
    this.heldOut = CrossValidation.of(paths);
  }

  /**
   * The page that answers.
   *
   * @param command as typed
   * @throws BadDataException in one sentence, if the run has no demands, does not carry the answer,
   *     or no number of servers reaches the rate
   */
  public static Page of(RunRecord run, Ask ask, String command) {
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
    int backups = ask.backups.orElse(measuredBackups);
    if (backups > measuredBackups) {
      throw BadDataException.of(
          "The run measured up to %s, so it cannot tell what %s cost; run it with --set"
              + " backups=%s.",
          Figures.count(measuredBackups, "backup"), Figures.count(backups, "backup"), backups);
    }
    double perCopy = path.bytesPerCopy();
    if (ask.dataBytes > 0 && perCopy == 0) {
      throw new BadDataException(
          "The run did not measure the memory of an entry, because the product does not tell it;"
              + " leave --data out.");
    }
    double entries = ask.dataBytes / ask.recordBytes.orElse(Math.max(perCopy, 1));
    return new Request(
        ask.recordsPerSecond / path.recordsPerCall(),
        ask.p99Seconds,
        ask.cpus,
        ask.linkBitsPerSecond / 8,
        ask.roundTripSeconds,
        backups,
        entries * perCopy * (1 + backups),
        ask.memoryBytes,
        ask.clients,
        ask.clientCpus,
        ask.hottestShare);
  }

  /** The estimate of a figure over the blocks; the pooled model's value lies in its interval. */
  private Estimate over(String unit, Function<CapacityPlan, Double> figure) {
    double value = figure.apply(pooled);
    if (blocks.size() < 2 || !(value > 0)) {
      return Estimate.unreplicated(value, unit);
    }
    double[] values =
        blocks.stream()
            .mapToDouble(figure::apply)
            .filter(v -> v > 0 && Double.isFinite(v))
            .toArray();
    if (values.length < 2) {
      return Estimate.unreplicated(value, unit);
    }
    Estimate mean = Means.geometric(values, unit, CONFIDENCE);
    return new Estimate(
        value,
        Math.min(value, mean.low()),
        Math.max(value, mean.high()),
        CONFIDENCE,
        values.length,
        unit);
  }

  private Page page(String command) {
    Need need = need(request);
    int n = need.servers();
    List<Finding> findings = new ArrayList<>();
    findings.add(answer(need));
    findings.add(latency(n));
    findings.add(memory(n));
    findings.add(tenTimes());
    findings.add(death(n));
    findings.add(check());
    long disturbed = path.demands().stream().filter(d -> d.trial().disturbed()).count();
    if (disturbed > 0) {
      findings.add(
          Finding.notice(
              Kind.DISTURBED,
              "%d of the %s behind these demands were disturbed by the machine, which can make calls"
                      .formatted(disturbed, Figures.count(path.demands().size(), "trial"))
                  + " look more expensive than they are.",
              "A run on a machine that does nothing else."));
    }
    if (blocks.size() < 2) {
      findings.add(
          Finding.notice(
              Kind.NOT_ENOUGH_RUNS,
              "The demands are of one block that has all numbers of servers: no confidence"
                  + " intervals.",
              "A run with --blocks 3 or more."));
    }
    List<Section> sections = new ArrayList<>();
    sections.add(loads(n));
    sections.add(demands());
    sections.add(
        new Section(
            "check", "The model's own check", heldOut.sentence(), List.of(heldOut.table())));
    return new Page(
        run.plan().name() + ": capacity",
        "How many servers carry %s records a second with %s?"
            .formatted(Figures.plain(ask.recordsPerSecond), path.label()),
        "from the service demands of %s, %s in %s, up to %s"
            .formatted(
                run.folder().path().getFileName(),
                Figures.count(path.demands().size(), "trial"),
                Figures.count(run.blocksSeen(), "block"),
                Figures.count(path.mostServers(), "server")),
        findings,
        sections,
        List.of(new Page.Command("Make this page again", command)));
  }

  private Need need(Request of) {
    Need need = pooled.need(of);
    int farthest = FARTHEST * path.mostServers();
    if (need.servers() > farthest && !ask.beyond) {
      throw BadDataException.of(
          "%s records a second take about %s, and the run measured up to %s: beyond %s it is not"
              + " predicted; measure with more servers, or add --extrapolate for an extrapolated"
              + " estimate.",
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
      Estimate estimate = over("servers", plan -> (double) plan.need(of).servers());
      return estimate.hasInterval()
          ? new Estimate(
              need.servers(),
              Math.max(1, Math.floor(estimate.low())),
              Math.ceil(estimate.high()),
              CONFIDENCE,
              estimate.replicates(),
              "servers")
          : estimate;
    } catch (BadDataException someBlockCannot) {
      return Estimate.unreplicated(need.servers(), "servers");
    }
  }

  private static String interval(Estimate estimate) {
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
    Estimate clients = over("CPUs", plan -> plan.clientCpus(request));
    return new Finding(
        Kind.SCALABILITY,
        Severity.INFO,
        "%s%s servers%s with %s each carry %s records a second; %s decides that number, and the clients need %s%s CPUs."
            .formatted(
                Figures.plain(need.servers()),
                interval(servers),
                extrapolated(need.servers()),
                Figures.count(ask.cpus, "CPU"),
                Figures.plain(ask.recordsPerSecond),
                need.limit().words(),
                Figures.plain(clients.value()),
                interval(clients)),
        Map.of("servers", servers, "CPUs of clients", clients),
        "Demands of warmer code, other records, or a run on such machines; utilisation is kept"
            + " below 80 %.");
  }

  private Finding latency(int n) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    List<String> parts = new ArrayList<>();
    state(n, State::p50Seconds)
        .ifPresent(
            p50 -> {
              estimates.put("p50", p50);
              parts.add("p50 " + Numbers.estimateWithUnit(p50));
            });
    state(n, State::p99Seconds)
        .ifPresent(
            p99 -> {
              estimates.put("p99", p99);
              parts.add("p99 " + Numbers.estimateWithUnit(p99));
            });
    return new Finding(
        Kind.LATENCY,
        parts.isEmpty() ? Severity.WARNING : Severity.INFO,
        parts.isEmpty()
            ? "No trial of this path has enough calls for a percentile, so no latency is predicted."
            : "Predicted latency of a call with %d servers: %s, at %s of the servers' CPUs."
                .formatted(
                    n, String.join(", ", parts), Figures.percent(pooled.with(n, request).cpu())),
        estimates,
        "Trials at a rate (open loop) on such machines.");
  }

  private Optional<Estimate> state(int n, Function<State, Optional<Double>> of) {
    if (of.apply(pooled.with(n, request)).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        over("ms", plan -> of.apply(plan.with(n, request)).map(s -> s * 1e3).orElse(0.0)));
  }

  private Finding memory(int n) {
    double perCopy = path.bytesPerCopy();
    if (ask.dataBytes <= 0) {
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
        "The data take %s GB with %s, %s GB on each of %d servers at %s bytes for a copy of an entry, the heap of each JVM not counted."
            .formatted(
                Figures.plain(request.storedBytes() / 1e9),
                Figures.count(request.backups() + 1L, "copy").replace("copys", "copies"),
                Figures.plain(request.storedBytes() / n / 1e9),
                n,
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
                      ask.beyond
                          ? "; on paper %d%s"
                              .formatted(need.servers(), interval(servers(ten, need)))
                          : "")
              : "Ten times the rate takes %d%s servers; %s decides that number."
                  .formatted(need.servers(), interval(servers(ten, need)), need.limit().words());
    } catch (BadDataException impossible) {
      sentence = "Ten times the rate: " + impossible.getMessage();
    }
    return Finding.info(Kind.SCALABILITY, sentence, "A run with more servers.");
  }

  private Finding death(int n) {
    String copies =
        request.backups() == 0
            ? " Without a backup the entries of that server, 1 in %d, are lost.".formatted(n)
            : "";
    if (n < 2) {
      return Finding.warning(
          Kind.SCALABILITY, "If the one server dies, nothing is left." + copies, "Another server.");
    }
    State left = pooled.with(n - 1, request);
    String p99 =
        left.p99Seconds()
            .map(s -> " and a p99 of " + Figures.plain(round(s * 1e3)) + " ms")
            .orElse("");
    boolean kept =
        left.carries()
            && (ask.p99Seconds.isEmpty()
                || left.p99Seconds().filter(s -> s <= ask.p99Seconds.get()).isPresent());
    String sentence =
        "If a server dies at this rate, the %d left use %s of their CPUs%s: %s.%s"
            .formatted(
                n - 1,
                Figures.percent(left.cpu()),
                p99,
                kept ? "enough" : "not enough, so plan for %d".formatted(n + 1),
                copies);
    return new Finding(
        Kind.SCALABILITY,
        kept ? Severity.INFO : Severity.WARNING,
        sentence,
        Map.of(),
        "A probe that kills a server under load: moving its data costs CPU time that is not in"
            + " these figures.");
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

  private Section loads(int n) {
    TreeSet<Integer> sizes = new TreeSet<>();
    for (double factor : new double[] {0.5, 0.75, 1, 1.25, 1.5, 2}) {
      sizes.add((int) Math.max(request.backups() + 1.0, Math.rint(n * factor)));
    }
    sizes.add(Math.max(request.backups() + 1, n - 1));
    List<List<String>> rows = new ArrayList<>();
    List<Ranked> cpu = new ArrayList<>();
    List<Ranked> p99s = new ArrayList<>();
    for (int size : sizes) {
      State state = pooled.with(size, request);
      Estimate used = over("%", plan -> 100 * plan.with(size, request).cpu());
      cpu.add(new Ranked(size + " servers", used, Optional.empty(), ""));
      Optional<Estimate> p99 = state(size, State::p99Seconds);
      p99.ifPresent(e -> p99s.add(new Ranked(size + " servers", e, Optional.empty(), "")));
      rows.add(
          List.of(
              String.valueOf(size),
              Numbers.shorten(used.value()) + " %",
              used.hasInterval() ? Numbers.interval(used) : Table.ABSENT,
              Numbers.percent(state.link()),
              state(size, State::p50Seconds).map(Numbers::estimate).orElse(Table.ABSENT),
              p99.map(Numbers::estimate).orElse(Table.ABSENT),
              request.storedBytes() > 0
                  ? Numbers.shorten(request.storedBytes() / size / 1e9)
                  : Table.ABSENT));
    }
    List<Figure> figures = new ArrayList<>();
    figures.add(IntervalChart.bars("CPUs of the servers in use", "%", cpu));
    if (!p99s.isEmpty()) {
      figures.add(IntervalChart.points("p99 of a call in milliseconds", "ms", p99s));
    }
    figures.add(
        Figure.of(
            "At the rate asked for",
            Table.of(
                    List.of("servers", "CPU", "95 %", "link", "p50 ms", "p99 ms", "data GB each"),
                    0,
                    rows)
                .withAbsent(
                    "one block has no interval; beyond full use there is no latency; the data's"
                        + " size needs --data")));
    return new Section(
        "servers",
        "Around the answer",
        "Means by the product form of an open network, percentiles by the measured distribution of"
            + " the nearest cell, scaled with the mean. Intervals are over blocks; they do not hold"
            + " the error of the model, for which see its check.",
        figures);
  }

  private Section demands() {
    List<List<String>> rows = new ArrayList<>();
    Map<String, Function<CapacityPlan, Double>> terms = new LinkedHashMap<>();
    terms.put("client, base", p -> p.model().client().base());
    terms.put("client, alone", p -> p.model().client().alone());
    terms.put("servers, primary", p -> p.model().server().base());
    terms.put("servers, each backup", p -> p.model().server().backup());
    terms.put("servers, forwarded (× (1 − 1/N))", p -> p.model().server().hop());
    terms.put("servers, alone", p -> p.model().server().alone());
    terms.put("servers, each backup alone", p -> p.model().server().aloneBackup());
    terms.put("servers, spread (× ln N)", p -> p.model().server().spread());
    terms.put("delay without CPU", p -> p.model().delay().base());
    terms.put("delay, forwarded (× (1 − 1/N))", p -> p.model().delay().hop());
    terms.forEach(
        (name, of) -> {
          Estimate micros = over("µs", plan -> of.apply(plan) * 1e6);
          rows.add(List.of(name, Numbers.shorten(micros.value()), Numbers.interval(micros)));
        });
    return new Section(
        "demands",
        "The demands of one call",
        "A call carries %s. 'Alone' is what a call costs more when no other is under way: more calls"
                .formatted(Figures.count(Math.round(path.recordsPerCall()), "record"))
            + " at a time share wake-ups and system calls. 'Spread' is what a call costs more with"
            + " more servers; part of it may be the caches that the servers of the run shared, so"
            + " the answer is rather too many servers than too few.",
        List.of(
            Figure.of(
                "Microseconds, of the model of all blocks with intervals over the blocks",
                Table.of(List.of("term", "µs", "95 %"), 1, rows))));
  }
}
