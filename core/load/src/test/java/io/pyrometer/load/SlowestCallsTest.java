package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SlowestCallsTest {

  private static List<Long> latencies(SlowestCalls slowest) {
    return slowest.calls().stream()
        .map(SlowestCalls.Call::nanos)
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  @Property(tries = 50)
  void theSlowestOfAnyCallsAreKeptWithTheirTimes(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 10_000) int calls) {
    Random random = new Random(seed);
    SlowestCalls slowest = new SlowestCalls();
    List<Long> all = LongStream.generate(() -> random.nextInt(5_000)).limit(calls).boxed().toList();
    all.forEach(nanos -> slowest.offer(nanos, 10 * nanos, -nanos));
    assertThat(latencies(slowest))
        .isEqualTo(
            all.stream().sorted(Comparator.reverseOrder()).limit(SlowestCalls.MOST).toList());
    assertThat(slowest.calls())
        .allMatch(call -> call.end() == 10 * call.nanos() && call.late() == -call.nanos());
    long above = slowest.completeAbove();
    assertThat(all.stream().filter(nanos -> nanos > above).count())
        .as("no call that is slower than said is missing")
        .isEqualTo(latencies(slowest).stream().filter(nanos -> nanos > above).count());
  }

  @Test
  void manyThreadsLoseNoSlowCall() throws Exception {
    SlowestCalls slowest = new SlowestCalls();
    int threads = 4;
    int each = 20_000;
    List<Thread> writers =
        IntStream.range(0, threads)
            .mapToObj(
                t ->
                    new Thread(
                        () ->
                            IntStream.range(0, each)
                                .forEach(i -> slowest.offer((long) i * threads + t, i, 0))))
            .toList();
    writers.forEach(Thread::start);
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(latencies(slowest))
        .isEqualTo(
            LongStream.range(0, SlowestCalls.MOST)
                .map(i -> (long) threads * each - 1 - i)
                .boxed()
                .toList());
  }
}
