package io.pyrometer.analysis.capacity;

import io.pyrometer.analysis.BadDataException;

/** A queue with several servers at which customers arrive by themselves (M/M/c). */
public final class OpenQueue {
  private OpenQueue() {}

  /**
   * The share of customers that wait: Erlang's C formula.
   *
   * @param offered mean number of busy servers, below {@code servers}
   */
  public static double waiting(int servers, double offered) {
    checked(servers, offered);
    double b = blocking(servers, offered);
    return servers * b / (servers - offered * (1 - b));
  }

  /** The share of customers that find all servers busy and leave: Erlang's B by its recursion. */
  public static double blocking(int servers, double offered) {
    double b = 1;
    for (int k = 1; k <= servers; k++) {
      b = offered * b / (k + offered * b);
    }
    return b;
  }

  /**
   * Mean response time as a multiple of the service time, at least 1.
   *
   * @param utilisation of each server, below 1
   */
  public static double stretch(int servers, double utilisation) {
    double offered = utilisation * servers;
    return 1 + waiting(servers, offered) / (servers * (1 - utilisation));
  }

  private static void checked(int servers, double offered) {
    if (servers < 1 || !(offered >= 0) || offered >= servers) {
      throw BadDataException.of(
          "A queue with %s servers cannot carry a load of %s; it would grow without end.",
          servers, offered);
    }
  }
}
