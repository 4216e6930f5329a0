package io.pyrometer.analysis.capacity;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.capacity.ServiceModel.Answer;
import io.pyrometer.analysis.capacity.ServiceModel.Percentile;
import io.pyrometer.analysis.capacity.Testbed.Apart;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * How many servers carry a rate, and which resource decides it. Each resource is used up to {@link
 * ServiceModel#HIGHEST_UTILISATION} at most, because beyond it a small error in a demand is a large
 * one in latency.
 *
 * @param model of calls, measured on {@code measuredOn}
 * @param footprint what a call and an entry take besides CPU time
 */
public record CapacityPlan(ServiceModel model, Testbed measuredOn, Footprint footprint) {
  private static final double MOST = ServiceModel.HIGHEST_UTILISATION;

  /** More servers than anybody has; what these do not carry, no number does. */
  public static final int MOST_SERVERS = 100_000;

  /**
   * @param serverBytes of a call in the busier direction, all servers together
   * @param serialSecondsOnHottestKey CPU time of a call on the one thread that serves its key
   * @param roundTrips one after the other in a call
   */
  public record Footprint(
      double serverBytes, double serialSecondsOnHottestKey, double roundTrips) {}

  /**
   * What is asked.
   *
   * @param callsPerSecond offered
   * @param p99Seconds limit of the slowest operation; empty for none
   * @param cpus of each server
   * @param linkBytesPerSecond of each server in either direction
   * @param roundTripSeconds between any two machines
   * @param backups copies besides the primary one
   * @param storedBytes of all copies together; 0 where memory is not asked
   * @param memoryBytes for data on each server; empty where memory is not limited
   * @param clientMachines empty for as many as are needed
   * @param clientCpus of each of them
   * @param hottestShare of the calls that go to the most popular key
   */
  public record Request(
      double callsPerSecond,
      Optional<Double> p99Seconds,
      int cpus,
      double linkBytesPerSecond,
      double roundTripSeconds,
      int backups,
      double storedBytes,
      Optional<Double> memoryBytes,
      Optional<Integer> clientMachines,
      int clientCpus,
      double hottestShare) {

    /** The same at another rate. */
    public Request at(double rate) {
      return new Request(
          rate,
          p99Seconds,
          cpus,
          linkBytesPerSecond,
          roundTripSeconds,
          backups,
          storedBytes,
          memoryBytes,
          clientMachines,
          clientCpus,
          hottestShare);
    }
  }

  /** What decides the number of servers. */
  public enum Limit {
    COPIES("the number of copies"),
    CPU("CPU time of the servers"),
    LINK("the servers' links"),
    LATENCY("the p99"),
    MEMORY("memory");

    private final String words;

    Limit(String words) {
      this.words = words;
    }

    /** As sentences name it. */
    public String words() {
      return words;
    }
  }

  /** So many servers are needed, and what decides it. */
  public record Need(int servers, Limit limit) {}

  /**
   * The state of a cluster of some servers at the rate.
   *
   * @param cpu utilisation of the servers' CPUs, above 1 where they cannot carry it
   * @param link utilisation of the servers' links
   * @param p50Seconds empty where it was not measured or there is none
   * @param p99Seconds empty where it was not measured or there is none
   */
  public record State(
      double cpu, double link, Optional<Double> p50Seconds, Optional<Double> p99Seconds) {

    /** Whether it can be kept up: all below the highest utilisation that is predicted. */
    public boolean carries() {
      return cpu <= MOST && link <= MOST;
    }
  }

  /** The same if demands go on growing beyond the measured numbers of servers, the worse case. */
  public CapacityPlan continued() {
    return new CapacityPlan(model.continued(), measuredOn, footprint);
  }

  /** CPUs of clients that the rate takes, at the highest utilisation. */
  public double clientCpus(Request request) {
    return request.callsPerSecond * clientSeconds(request) / MOST;
  }

  private double clientSeconds(Request request) {
    return model.clientSeconds(MOST_SERVERS, request.backups, ServiceModel.MANY);
  }

  /** The state with so many servers. */
  public State with(int servers, Request request) {
    int machines =
        request.clientMachines.orElseGet(
            () -> (int) Math.max(1, Math.ceil(2 * clientCpus(request) / request.clientCpus)));
    Answer answer =
        model.open(
            servers,
            request.backups,
            request.callsPerSecond,
            new Apart(request.cpus, machines, request.clientCpus, 0, 0));
    double serverSeconds =
        model.serverSeconds(
            servers, request.backups, request.callsPerSecond * answer.meanSeconds());
    double cpu =
        request.callsPerSecond * serverSeconds / servers / request.cpus
            + model.idle() / request.cpus;
    double network = request.roundTripSeconds * footprint.roundTrips;
    boolean finite = Double.isFinite(answer.meanSeconds());
    return new State(
        cpu,
        request.callsPerSecond * footprint.serverBytes / servers / request.linkBytesPerSecond,
        finite ? percentile(Percentile.P50, servers, answer, network) : Optional.empty(),
        finite ? percentile(Percentile.P99, servers, answer, network) : Optional.empty());
  }

  private Optional<Double> percentile(
      Percentile which, int servers, Answer answer, double network) {
    return model
        .percentile(which, servers, true, answer, measuredOn)
        .map(seconds -> seconds + network);
  }

  /**
   * The fewest servers that carry the rate.
   *
   * @throws BadDataException in one sentence, if no number of servers does
   */
  public Need need(Request request) {
    clientsMustSuffice(request);
    oneKeyMustSuffice(request);
    int fewest = request.backups + 1;
    Need need = new Need(fewest, Limit.COPIES);
    need = larger(need, Limit.CPU, fewest, n -> with(n, request).cpu <= MOST);
    need = larger(need, Limit.LINK, fewest, n -> with(n, request).link <= MOST);
    if (request.memoryBytes.isPresent()) {
      double each = request.memoryBytes.get() * MOST;
      need = larger(need, Limit.MEMORY, fewest, n -> request.storedBytes / n <= each);
    }
    if (request.p99Seconds.isPresent()) {
      need = keepingP99(need, request, request.p99Seconds.get());
    }
    return need;
  }

  /**
   * The first number of servers from a need on that keeps a p99, which may rise again with more of
   * them.
   */
  private Need keepingP99(Need least, Request request, double limit) {
    double lowest = Double.POSITIVE_INFINITY;
    int failed = least.servers - 1;
    int servers = least.servers;
    while (true) {
      double p99 =
          with(servers, request)
              .p99Seconds
              .orElseThrow(
                  () ->
                      new BadDataException(
                          "No trial has enough calls for a p99, so none can be predicted; measure for longer, or leave --p99 out."));
      if (p99 <= limit) {
        break;
      }
      lowest = Math.min(lowest, p99);
      if (servers >= MOST_SERVERS) {
        throw BadDataException.of(
            "No number of servers keeps a p99 of %s ms: the lowest is %s ms.",
            round(limit * 1e3), round(lowest * 1e3));
      }
      failed = servers;
      servers = Math.min(MOST_SERVERS, servers + Math.max(1, servers / 8));
    }
    int first =
        fewest(
            failed + 1,
            n -> with(n, request).p99Seconds.filter(p99 -> p99 <= limit).isPresent(),
            Limit.LATENCY);
    return first > least.servers ? new Need(first, Limit.LATENCY) : least;
  }

  private static String round(double value) {
    return Figures.plain(value);
  }

  private void clientsMustSuffice(Request request) {
    if (request.clientMachines.isPresent()) {
      double there = (double) request.clientMachines.get() * request.clientCpus;
      if (clientCpus(request) > there) {
        throw BadDataException.of(
            "No number of servers reaches this rate, because the clients are the limit: it takes %s CPUs of clients at %s %% utilisation, and there are %s.",
            round(Math.ceil(clientCpus(request))), round(100 * MOST), round(there));
      }
    }
  }

  /** A key is served by one thread of one server. */
  private void oneKeyMustSuffice(Request request) {
    double busy =
        request.callsPerSecond * request.hottestShare * footprint.serialSecondsOnHottestKey;
    if (busy > MOST) {
      throw BadDataException.of(
          "No number of servers reaches this rate, because the hottest key is the limit: %s %% of the calls go to it, and the one thread that serves it carries %s calls a second.",
          round(100 * request.hottestShare),
          round(Math.floor(MOST / footprint.serialSecondsOnHottestKey)));
    }
  }

  private static Need larger(Need before, Limit limit, int fewest, IntPredicate carries) {
    int servers = fewest(fewest, carries, limit);
    return servers > before.servers ? new Need(servers, limit) : before;
  }

  private static int fewest(int from, IntPredicate carries, Limit limit) {
    int high = from;
    int low = from - 1;
    while (!carries.test(high)) {
      low = high;
      if (high >= MOST_SERVERS) {
        throw BadDataException.of(
            "Not even %s servers carry this: the limit is %s.", MOST_SERVERS, limit.words);
      }
      high = Math.min(MOST_SERVERS, 2 * high);
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (carries.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
