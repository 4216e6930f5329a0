package io.pyrometer.journal;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.protocol.SlowCall;
import io.pyrometer.protocol.Slowest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The slowest 1 % of the calls of a trial with their times, or fewer where the agents recorded
 * fewer: an artefact of one JSON object for each operation and line.
 */
public final class SlowCallLog {
  public static final String KIND = "slow-calls";

  /** More are thinned out, evenly over their latencies. */
  static final int MAX_CALLS = 1_000;

  private static final double PERCENT = 99;

  private SlowCallLog() {}

  /**
   * The slow calls of one operation.
   *
   * @param all how many calls of the operation ended in the measured part
   * @param slow how many of them are the slow ones
   * @param calls of the slow ones all or, above {@value #MAX_CALLS}, an even selection; begins by
   *     the coordinator's clock since the begin of the measured part
   */
  public record OfOperation(String operation, long all, long slow, List<SlowCall> calls) {}

  /**
   * Slow calls of all agents, by operation.
   *
   * @param agents each with its begins by the coordinator's clock
   * @param calls all of them, by operation
   */
  public static List<OfOperation> merged(List<Slowest> agents, Map<String, LatencyCounts> calls) {
    List<OfOperation> all = new ArrayList<>();
    calls.forEach(
        (operation, counts) -> {
          List<Slowest.OfOperation> recorded =
              agents.stream()
                  .flatMap(
                      agent -> Optional.ofNullable(agent.byOperation().get(operation)).stream())
                  .toList();
          List<SlowCall> slow = slowest(recorded, counts);
          if (!slow.isEmpty()) {
            all.add(new OfOperation(operation, counts.count(), slow.size(), thinned(slow)));
          }
        });
    return all;
  }

  private static List<SlowCall> slowest(List<Slowest.OfOperation> recorded, LatencyCounts calls) {
    long complete =
        recorded.stream()
            .mapToLong(Slowest.OfOperation::completeAbove)
            .max()
            .orElse(Long.MAX_VALUE);
    long above = Math.max(complete, calls.percentile(PERCENT));
    return recorded.stream()
        .flatMap(each -> each.calls().stream())
        .filter(call -> call.nanos() > above)
        .sorted(Comparator.comparingLong(SlowCall::nanos))
        .toList();
  }

  private static List<SlowCall> thinned(List<SlowCall> slow) {
    int kept = Math.min(MAX_CALLS, slow.size());
    return IntStream.range(0, kept)
        .mapToObj(i -> slow.get((int) ((i + 0.5) * slow.size() / kept)))
        .toList();
  }
}
