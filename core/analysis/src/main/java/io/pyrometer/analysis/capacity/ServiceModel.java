package io.pyrometer.analysis.capacity;

import io.pyrometer.analysis.BadDataException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * Predicts throughput and latency of calls from the service demands of measured cells.
 *
 * @param client CPU time of a call on its client
 * @param server CPU time of a call on all servers together, without what they use idle
 * @param delay time of a call that no CPU of the testbed works on it: wake-ups and the network
 * @param idle CPU time that one server uses without load, in CPUs
 * @param cells that it was fitted to, with the testbed on which they were measured
 */
public record ServiceModel(
    DemandModel client, DemandModel server, DemandModel delay, double idle, List<Cell> cells) {

  /** From here on a queue's latency is too sensitive to predict; see docs/capacity.md. */
  public static final double HIGHEST_UTILISATION = 0.8;

  /** Cells and numbers of servers from which on the shape of latency is regressed. */
  private static final int LEAST_SHAPES = 5;

  private static final int LEAST_SIZES = 3;

  /** So many calls in flight that none is alone. */
  static final double MANY = 1e12;

  public ServiceModel {
    cells = List.copyOf(cells);
  }

  /**
   * One treatment as it was measured in one block.
   *
   * @param servers number of servers
   * @param backups copies besides the primary one
   * @param clients threads of a closed loop; 0 in an open loop
   * @param callsPerSecond over all clients
   * @param clientSeconds CPU time of a call on its client
   * @param serverSeconds CPU time of a call on all servers, with what they use idle
   * @param idle CPUs that one server uses without load
   * @param meanSeconds latency
   * @param p50Seconds of the slowest operation; empty where there are too few calls
   * @param p99Seconds of the slowest operation; empty where there are too few calls
   */
  public record Cell(
      int servers,
      int backups,
      int clients,
      double callsPerSecond,
      double clientSeconds,
      double serverSeconds,
      double idle,
      double meanSeconds,
      Optional<Double> p50Seconds,
      Optional<Double> p99Seconds) {

    /** Calls under way at a time, by Little's law; in a closed loop one for each thread. */
    public double inFlight() {
      return clients > 0 ? clients : callsPerSecond * meanSeconds;
    }

    /** CPU time of a call on all servers without what they would use idle. */
    double loadSeconds() {
      return Math.max(serverSeconds * 0.05, serverSeconds - servers * idle / callsPerSecond);
    }
  }

  /** Where the calls are made. */
  public sealed interface Testbed {}

  /**
   * All processes share one machine.
   *
   * @param cpus of the machine
   */
  public record Shared(int cpus) implements Testbed {}

  /**
   * All processes on one machine, each with a CPU quota that the machine can serve.
   *
   * @param serverCpus quota of each server
   * @param clientCpus quotas of all clients together
   */
  public record Quotas(double serverCpus, double clientCpus) implements Testbed {}

  /**
   * Every server and client on a machine of its own.
   *
   * @param cpus of each server
   * @param clientMachines number of machines with clients
   * @param clientCpus of each of them
   * @param roundTripSeconds on the network
   * @param roundTrips one after the other in a call
   */
  public record Apart(
      int cpus, int clientMachines, int clientCpus, double roundTripSeconds, double roundTrips)
      implements Testbed {}

  /** CPUs of a machine, each at a share of the speed at which the demands were measured. */
  private record Cpus(int count, double speed) {
    /** A quota holds all threads to so many CPU seconds a second, whichever CPUs they are on. */
    static Cpus ofQuota(double quota) {
      int count = Math.max(1, (int) quota);
      return new Cpus(count, quota / count);
    }

    double all() {
      return count * speed;
    }
  }

  /** Servers and clients with CPUs of their own. */
  private record Separate(Cpus server, int clientMachines, Cpus client, double network) {
    static Separate of(Testbed testbed) {
      if (testbed instanceof Quotas quotas) {
        return new Separate(Cpus.ofQuota(quotas.serverCpus), 1, Cpus.ofQuota(quotas.clientCpus), 0);
      }
      Apart apart = (Apart) testbed;
      return new Separate(
          new Cpus(apart.cpus, 1),
          apart.clientMachines,
          new Cpus(apart.clientCpus, 1),
          apart.roundTripSeconds * apart.roundTrips);
    }

    double ofServers(double rate, double seconds, int servers) {
      return rate * seconds / servers / server.all();
    }

    double ofClients(double rate, double seconds) {
      return rate * seconds / clientMachines / client.all();
    }
  }

  /**
   * Fits the demands to cells of one path that were measured on one testbed.
   *
   * @throws BadDataException if there is no cell
   */
  public static ServiceModel fit(List<Cell> cells, Testbed measuredOn) {
    if (cells.isEmpty()) {
      throw new BadDataException("There is no valid trial with service demands.");
    }
    double idle = cells.stream().mapToDouble(Cell::idle).average().orElse(0);
    DemandModel client =
        DemandModel.fit(
            cells.stream()
                .map(
                    c -> new DemandModel.Point(c.servers, c.backups, c.inFlight(), c.clientSeconds))
                .toList());
    DemandModel server =
        DemandModel.fit(
            cells.stream()
                .map(
                    c ->
                        new DemandModel.Point(
                            c.servers, c.backups, c.inFlight() / c.servers, c.loadSeconds()))
                .toList());
    ServiceModel withoutDelay = new ServiceModel(client, server, DemandModel.NONE, idle, cells);
    List<DemandModel.Point> delays =
        cells.stream()
            .filter(c -> utilisation(c, measuredOn) < HIGHEST_UTILISATION)
            .map(
                c ->
                    new DemandModel.Point(
                        c.servers, c.backups, MANY, withoutDelay.delayOf(c, measuredOn)))
            .filter(point -> point.seconds() > 0)
            .toList();
    return delays.isEmpty()
        ? withoutDelay
        : new ServiceModel(client, server, DemandModel.fit(delays), idle, cells);
  }

  /** Of the busiest CPUs, by the cell's own measured demands. */
  private static double utilisation(Cell cell, Testbed testbed) {
    double rate = cell.callsPerSecond;
    if (testbed instanceof Shared shared) {
      return Math.min(1, rate * (cell.clientSeconds + cell.serverSeconds) / shared.cpus);
    }
    Separate separate = Separate.of(testbed);
    return Math.min(
        1,
        Math.max(
            separate.ofServers(rate, cell.serverSeconds, cell.servers),
            separate.ofClients(rate, cell.clientSeconds)));
  }

  /** The delay with which the model's mean response is the measured one. */
  private double delayOf(Cell cell, Testbed testbed) {
    double low = 0;
    double high = cell.meanSeconds;
    if (meanSeconds(cell, testbed, 0) >= cell.meanSeconds) {
      return 0;
    }
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (meanSeconds(cell, testbed, middle) < cell.meanSeconds) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  private double meanSeconds(Cell cell, Testbed testbed, double delay) {
    return cell.clients > 0
        ? closed(cell.servers, cell.backups, cell.clients, testbed, delay).meanSeconds
        : open(cell.servers, cell.backups, cell.callsPerSecond, testbed, delay).meanSeconds;
  }

  /**
   * What the model says of a closed or open loop.
   *
   * @param callsPerSecond throughput
   * @param meanSeconds latency of a call
   * @param utilisation of the busiest resource, 0…1
   * @param bottleneck the busiest resource
   */
  public record Answer(
      double callsPerSecond, double meanSeconds, double utilisation, Resource bottleneck) {}

  /** What can be used up. */
  public enum Resource {
    MACHINE("the shared CPUs"),
    SERVERS("the CPUs of the servers"),
    CLIENTS("the CPUs of the clients");

    private final String words;

    Resource(String words) {
      this.words = words;
    }

    /** As sentences name it. */
    public String words() {
      return words;
    }
  }

  /** CPU time of a call on all servers, with so many calls in flight. */
  double serverSeconds(int servers, int backups, double inFlight) {
    return server.seconds(servers, backups, inFlight / servers);
  }

  /** CPU time of a call on its client, with so many calls in flight. */
  double clientSeconds(int servers, int backups, double inFlight) {
    return client.seconds(servers, backups, inFlight);
  }

  private double delaySeconds(int servers, int backups) {
    return delay.seconds(servers, backups, MANY);
  }

  /** A closed loop of so many threads, by exact mean value analysis. */
  public Answer closed(int servers, int backups, int clients, Testbed testbed) {
    return closed(servers, backups, clients, testbed, delaySeconds(servers, backups));
  }

  private Answer closed(int servers, int backups, int clients, Testbed testbed, double delay) {
    double ofClient = clientSeconds(servers, backups, clients);
    double ofServers = serverSeconds(servers, backups, clients);
    if (testbed instanceof Shared shared) {
      double room = room(shared.cpus, servers * idle);
      ClosedNetwork.Solution solved =
          ClosedNetwork.solve(
              List.of(
                  new ClosedNetwork.Queue((ofClient + ofServers) / room, shared.cpus, 1),
                  new ClosedNetwork.Delay(delay)),
              clients);
      return new Answer(
          solved.throughput(),
          clients / solved.throughput(),
          solved.throughput() * (ofClient + ofServers) / room / shared.cpus,
          Resource.MACHINE);
    }
    Separate apart = Separate.of(testbed);
    double room = room(apart.server.all(), idle);
    ClosedNetwork.Solution solved =
        ClosedNetwork.solve(
            List.of(
                new ClosedNetwork.Queue(
                    ofServers / room / apart.server.speed, apart.server.count, servers),
                new ClosedNetwork.Queue(
                    ofClient / apart.client.speed, apart.client.count, apart.clientMachines),
                new ClosedNetwork.Delay(delay + apart.network)),
            clients);
    double x = solved.throughput();
    double uServers = apart.ofServers(x, ofServers / room, servers);
    double uClients = apart.ofClients(x, ofClient);
    return new Answer(
        x,
        clients / x,
        Math.max(uServers, uClients),
        uServers >= uClients ? Resource.SERVERS : Resource.CLIENTS);
  }

  /**
   * An open loop at a rate, by the product form: each queue as if it were alone.
   *
   * @return of a rate that is too high, an infinite latency and a utilisation of 1 or more
   */
  public Answer open(int servers, int backups, double callsPerSecond, Testbed testbed) {
    return open(servers, backups, callsPerSecond, testbed, delaySeconds(servers, backups));
  }

  private Answer open(
      int servers, int backups, double callsPerSecond, Testbed testbed, double delay) {
    // Calls in flight decide the demand, and the demand the calls in flight.
    double inFlight = 1;
    Answer answer = open(servers, backups, callsPerSecond, testbed, delay, inFlight);
    for (int i = 0; i < 20 && Double.isFinite(answer.meanSeconds); i++) {
      inFlight = (inFlight + callsPerSecond * answer.meanSeconds) / 2;
      answer = open(servers, backups, callsPerSecond, testbed, delay, inFlight);
    }
    return answer;
  }

  private Answer open(
      int servers,
      int backups,
      double callsPerSecond,
      Testbed testbed,
      double delay,
      double inFlight) {
    double ofClient = clientSeconds(servers, backups, inFlight);
    double ofServers = serverSeconds(servers, backups, inFlight);
    if (testbed instanceof Shared shared) {
      double seconds = (ofClient + ofServers) / room(shared.cpus, servers * idle);
      double u = callsPerSecond * seconds / shared.cpus;
      return new Answer(
          callsPerSecond, delay + response(seconds, shared.cpus, u), u, Resource.MACHINE);
    }
    Separate apart = Separate.of(testbed);
    double seconds = ofServers / room(apart.server.all(), idle);
    double uServers = apart.ofServers(callsPerSecond, seconds, servers);
    double uClients = apart.ofClients(callsPerSecond, ofClient);
    return new Answer(
        callsPerSecond,
        delay
            + apart.network
            + response(seconds / apart.server.speed, apart.server.count, uServers)
            + response(ofClient / apart.client.speed, apart.client.count, uClients),
        Math.max(uServers, uClients),
        uServers >= uClients ? Resource.SERVERS : Resource.CLIENTS);
  }

  private static double response(double seconds, int cpus, double utilisation) {
    return utilisation < 1
        ? seconds * OpenQueue.stretch(cpus, utilisation)
        : Double.POSITIVE_INFINITY;
  }

  /** The share of CPUs that idle work leaves. */
  private static double room(double cpus, double idleCpus) {
    return Math.max(0.05, 1 - idleCpus / cpus);
  }

  /** Which statistic of latency is asked for. */
  public enum Percentile {
    P50,
    P99;

    Optional<Double> of(Cell cell) {
      return this == P50 ? cell.p50Seconds : cell.p99Seconds;
    }
  }

  /**
   * A percentile of the latency of calls: the mean that the model gives, times the ratio of the
   * percentile to the mean in the measured cells, whose logarithm is regressed on ln N, with N not
   * beyond the measured. With too few cells for that, the ratio is that of the most similar cell.
   *
   * @param answer what the model says of the mean
   * @param measuredOn where the cells were measured
   * @return empty where no cell has the percentile
   */
  public Optional<Double> percentile(
      Percentile which, int servers, boolean openLoop, Answer answer, Testbed measuredOn) {
    List<Shape> shapes = new ArrayList<>();
    for (Cell cell : cells) {
      Answer of = answered(cell, measuredOn);
      if (which.of(cell).isPresent() && Double.isFinite(of.meanSeconds)) {
        shapes.add(
            new Shape(
                cell, of.utilisation, Math.log(which.of(cell).orElseThrow() / of.meanSeconds)));
      }
    }
    List<Shape> below = shapes.stream().filter(s -> s.utilisation < HIGHEST_UTILISATION).toList();
    return regressed(below, servers)
        .or(() -> nearest(shapes, servers, openLoop, answer))
        .map(logRatio -> Math.exp(logRatio) * answer.meanSeconds);
  }

  /** How far a percentile of a cell lies from the modelled mean. */
  private record Shape(Cell cell, double utilisation, double logRatio) {}

  private static Optional<Double> regressed(List<Shape> shapes, int servers) {
    if (shapes.stream().map(s -> s.cell.servers).distinct().count() < LEAST_SIZES
        || shapes.size() < LEAST_SHAPES) {
      return Optional.empty();
    }
    int most = shapes.stream().mapToInt(s -> s.cell.servers).max().orElse(1);
    SimpleRegression line = new SimpleRegression();
    shapes.forEach(s -> line.addData(Math.log(s.cell.servers), s.logRatio));
    return Optional.of(line.predict(Math.log(Math.min(servers, most))));
  }

  private static Optional<Double> nearest(
      List<Shape> shapes, int servers, boolean openLoop, Answer answer) {
    return shapes.stream()
        .min(
            Comparator.<Shape>comparingInt(s -> (s.cell.clients == 0) == openLoop ? 0 : 1)
                .thenComparingDouble(s -> Math.abs(Math.log((double) s.cell.servers / servers)))
                .thenComparingDouble(
                    s -> Math.abs(Math.log(s.cell.meanSeconds / answer.meanSeconds))))
        .map(Shape::logRatio);
  }

  private Answer answered(Cell cell, Testbed measuredOn) {
    return cell.clients > 0
        ? closed(cell.servers, cell.backups, cell.clients, measuredOn)
        : open(cell.servers, cell.backups, cell.callsPerSecond, measuredOn);
  }
}
