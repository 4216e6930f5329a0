package io.pyrometer.benchmarks;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Shape;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Overhead, capacity and accuracy of the relay's delay, with a peer in this process that sends back
 * what it gets, or swallows it where a connection begins with 0.
 */
public final class RelayFigures {
  private static final int ROUNDS = 10;
  private static final int TRIPS = 3_000;
  private static final int SHAPED_TRIPS = 40;

  private final PrintStream out = System.out;
  private final int direct;
  private final NetworkProcess relay;
  private final int relayed;

  private RelayFigures(int direct, NetworkProcess relay) throws IOException {
    this.direct = direct;
    this.relay = relay;
    Command start = new Command.StartRelay(List.of("127.0.0.1:" + direct));
    this.relayed = ((Answer.Ports) relay.ask(start)).ports().get(0);
  }

  /** Takes nothing; prints a table. */
  public static void main(String[] args) throws IOException {
    int direct = Peer.serveHere();
    try (NetworkProcess relay = new NetworkProcess()) {
      RelayFigures figures = new RelayFigures(direct, relay);
      figures.roundTrips();
      figures.delays();
      figures.rates();
    }
  }

  private void roundTrips() throws IOException {
    double[] without = new double[ROUNDS];
    double[] with = new double[ROUNDS];
    double cpu = relay.cpuSeconds();
    for (int round = 0; round < ROUNDS; round++) {
      without[round] = Peer.medianMicros(Peer.here(direct), TRIPS);
      with[round] = Peer.medianMicros(Peer.here(relayed), TRIPS);
    }
    cpu = relay.cpuSeconds() - cpu;
    double[] added = new double[ROUNDS];
    Arrays.setAll(added, i -> with[i] - without[i]);
    Arrays.sort(added);
    out.printf(
        Locale.ROOT,
        "round trip of 128 bytes, p50: %.1f µs without, %.1f µs through the relay%n",
        Peer.median(without),
        Peer.median(with));
    out.printf(
        Locale.ROOT,
        "added at p50: %.1f µs (least %.1f, most %.1f of %d rounds of %d trips), %.1f µs of CPU a"
            + " trip%n",
        Peer.median(added),
        added[0],
        added[ROUNDS - 1],
        ROUNDS,
        TRIPS,
        cpu * 1e6 / ROUNDS / TRIPS);
  }

  private void delays() throws IOException {
    for (double millis : new double[] {0.5, 1, 5, 10, 50}) {
      relay.shape(new Shape(millis / 1e3, 0, 0, 0));
      double trip = Peer.medianMicros(Peer.here(relayed), SHAPED_TRIPS) / 1e3;
      out.printf(
          Locale.ROOT,
          "delay of %4.1f ms each way: round trip p50 %.3f ms, one way off by %+.3f ms%n",
          millis,
          trip,
          trip / 2 - millis);
    }
  }

  private void rates() throws IOException {
    out.printf(Locale.ROOT, "no relay: %.2f Gbit/s%n", Peer.bulk(Peer.here(direct)));
    for (double rate : new double[] {0, 1e9, 100e6, 10e6}) {
      relay.shape(new Shape(0, 0, rate, 0));
      double cpu = relay.cpuSeconds();
      double reached = Peer.bulk(Peer.here(relayed));
      out.printf(
          Locale.ROOT,
          "%s: %.3f Gbit/s, %.2f cores of the relay%n",
          rate == 0 ? "no limit" : String.format(Locale.ROOT, "limit of %.2f Gbit/s", rate / 1e9),
          reached,
          (relay.cpuSeconds() - cpu) / Peer.BULK_SECONDS);
    }
  }
}
