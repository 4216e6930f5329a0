package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * By how much the clocks of other hosts differ from the coordinator's: what a worker there says
 * over its pipe, against the middle of the question's way there and back. The quickest of several
 * questions counts, and half its time is the error.
 */
final class ClockOffsets {
  private static final int QUESTIONS = 8;

  private ClockOffsets() {}

  /**
   * @param hostOf the host of a worker
   * @return such as {@code host.h1.clock} → {@code +0.012 ms ± 0.200 ms}
   */
  static Map<String, String> of(
      List<ManagedProcess> workers, Function<ManagedProcess, Host> hostOf) {
    Map<String, String> facts = new TreeMap<>();
    for (ManagedProcess worker : workers) {
      Host host = hostOf.apply(worker);
      String fact = "host." + host.name() + ".clock";
      if (!host.local() && !facts.containsKey(fact)) {
        facts.put(fact, compared(worker));
      }
    }
    return facts;
  }

  private static String compared(ManagedProcess worker) {
    double offset = 0;
    double error = Double.MAX_VALUE;
    for (int i = 0; i < QUESTIONS; i++) {
      long before = System.nanoTime();
      long from = now();
      Answer.Time there = worker.request(new Command.Clock(), Answer.Time.class, Timeouts.QUICK);
      double half = (System.nanoTime() - before) / 2e6;
      if (half < error) {
        error = half;
        offset = (there.epochNanos() - from) / 1e6 - half;
      }
    }
    return String.format(Locale.ROOT, "%+.3f ms ± %.3f ms", offset, error);
  }

  private static long now() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }
}
