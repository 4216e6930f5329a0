package io.pyrometer.analysis.capacity;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.capacity.ClosedNetwork.Delay;
import io.pyrometer.analysis.capacity.ClosedNetwork.Queue;
import io.pyrometer.analysis.capacity.ClosedNetwork.Station;
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

  /** The number of calls in flight is found to within this factor. */
  private static final double ACCURACY = 1 + 1e-9;

  /** The same with what grows with the servers continued beyond the measured numbers of them. */
  ServiceModel continued() {
    return new ServiceModel(client.continued(), server.continued(), delay.continued(), idle, cells);
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
    List<Queue> queues = testbed.queues(cell.servers, cell.clientSeconds, cell.serverSeconds, 0);
    return Math.min(1, utilisation(queues, cell.callsPerSecond));
  }

  private static double utilisation(List<Queue> queues, double rate) {
    return queues.stream().mapToDouble(queue -> queue.utilisation(rate)).max().orElseThrow();
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
   * @param utilisation of the busiest CPUs, 0…1
   */
  public record Answer(double callsPerSecond, double meanSeconds, double utilisation) {}

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
    List<Queue> queues = queues(servers, backups, clients, testbed);
    List<Station> stations = new ArrayList<>(queues);
    stations.add(new Delay(delay + testbed.networkSeconds()));
    double rate = ClosedNetwork.solve(stations, clients).throughput();
    return new Answer(rate, clients / rate, utilisation(queues, rate));
  }

  private List<Queue> queues(int servers, int backups, double inFlight, Testbed testbed) {
    return testbed.queues(
        servers,
        clientSeconds(servers, backups, inFlight),
        serverSeconds(servers, backups, inFlight),
        idle);
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
    // The more calls are in flight, the less one costs and the sooner it ends, so that exactly one
    // number of them follows from itself.
    Answer answer = open(queues(servers, backups, MANY, testbed), callsPerSecond, delay, testbed);
    if (Double.isInfinite(answer.meanSeconds)) {
      return answer;
    }
    double few = 1;
    double many = MANY;
    while (many > ACCURACY * few) {
      double middle = Math.sqrt(few * many);
      answer = open(queues(servers, backups, middle, testbed), callsPerSecond, delay, testbed);
      if (callsPerSecond * answer.meanSeconds > middle) {
        few = middle;
      } else {
        many = middle;
      }
    }
    return open(queues(servers, backups, many, testbed), callsPerSecond, delay, testbed);
  }

  private static Answer open(List<Queue> queues, double rate, double delay, Testbed testbed) {
    double cpus = queues.stream().mapToDouble(queue -> queue.responseSeconds(rate)).sum();
    return new Answer(rate, delay + testbed.networkSeconds() + cpus, utilisation(queues, rate));
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
