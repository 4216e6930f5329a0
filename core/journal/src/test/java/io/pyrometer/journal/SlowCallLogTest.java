package io.pyrometer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.HistogramText;
import io.pyrometer.protocol.SlowCall;
import io.pyrometer.protocol.Slowest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowCallLogTest {
  private static final long MICRO = 1_000;

  @TempDir Path folder;

  /** Of an agent whose calls took 1 to {@code calls} microseconds. */
  private static Map<String, LatencyCounts> latencies(int calls) {
    Histogram histogram = new Histogram(3);
    LongStream.rangeClosed(1, calls).forEach(micros -> histogram.recordValue(micros * MICRO));
    Answer.Interval interval =
        new Answer.Interval(0, 1, Map.of("get", HistogramText.encode(histogram)));
    return Latencies.totals(
        List.of(
            new Answer.Finished(
                1,
                calls,
                calls,
                0,
                0,
                List.of(),
                List.of(interval),
                0,
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                0)));
  }

  /** Every second call was the agent's, from the slowest on. */
  private static Slowest agent(int calls, int first, long completeAbove) {
    return new Slowest(
        0,
        Map.of(
            "get",
            new Slowest.OfOperation(
                completeAbove,
                LongStream.rangeClosed(1, calls)
                    .filter(micros -> micros % 2 == first && micros * MICRO > completeAbove)
                    .mapToObj(micros -> new SlowCall(7 * micros, micros * MICRO, 0))
                    .toList())));
  }

  @Test
  void theSlowestOnePercentOfTheCallsOfAllAgentsAreKept() throws Exception {
    int calls = 2_000;
    List<SlowCallLog.OfOperation> slow =
        SlowCallLog.merged(List.of(agent(calls, 0, -1), agent(calls, 1, -1)), latencies(calls));
    assertThat(slow).hasSize(1);
    assertThat(slow.get(0).all()).isEqualTo(calls);
    assertThat(slow.get(0).slow()).isBetween(19L, 21L);
    assertThat(slow.get(0).calls())
        .allMatch(call -> call.beginMicros() == 7 * call.nanos() / MICRO)
        .allMatch(call -> call.nanos() >= 1_979 * MICRO);
    Path file = folder.resolve("x.slow.jsonl");
    JsonLines.write(file, slow);
    TrialRecord.Artefact artefact =
        new TrialRecord.Artefact(SlowCallLog.KIND, "", file.getFileName().toString());
    assertThat(
            JsonLines.read(
                new RunFolder(folder),
                List.of(artefact),
                SlowCallLog.KIND,
                SlowCallLog.OfOperation.class))
        .isEqualTo(slow);
  }

  @Test
  void callsThatAnAgentMayHaveLostAreNotAmongThem() {
    int calls = 2_000;
    List<SlowCallLog.OfOperation> slow =
        SlowCallLog.merged(
            List.of(agent(calls, 0, -1), agent(calls, 1, 1_990 * MICRO)), latencies(calls));
    assertThat(slow.get(0).calls()).extracting(SlowCall::nanos).hasSize(10);
    assertThat(slow.get(0).calls()).allMatch(call -> call.nanos() > 1_990 * MICRO);
  }

  @Test
  void manyAreThinnedOutEvenlyOverTheirLatencies() {
    int calls = 400_000;
    SlowCallLog.OfOperation slow =
        SlowCallLog.merged(List.of(agent(calls, 0, -1), agent(calls, 1, -1)), latencies(calls))
            .get(0);
    assertThat(slow.calls()).hasSize(SlowCallLog.MAX_CALLS);
    double mean = slow.calls().stream().mapToLong(SlowCall::nanos).average().orElse(0) / MICRO;
    assertThat(mean).isCloseTo(0.995 * calls, within(0.001 * calls));
  }
}
