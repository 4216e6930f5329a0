package io.pyrometer.microbenchmark.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BeladyTest {

  @Property(tries = 500)
  void noChoiceOfEvictionsHasMoreHitsThanTheOptimum(
      @ForAll @Size(max = 11) int @IntRange(max = 4) [] requests,
      @ForAll @IntRange(min = 1, max = 3) int capacity) {
    assertThat(Belady.hits(Trace.of(requests), capacity))
        .isEqualTo(mostHits(requests, 0, Set.of(), capacity));
  }

  /** Tries every choice of the entry to give up, the new one included. */
  private static long mostHits(int[] requests, int from, Set<Integer> held, int capacity) {
    if (from == requests.length) {
      return 0;
    }
    int key = requests[from];
    if (held.contains(key)) {
      return 1 + mostHits(requests, from + 1, held, capacity);
    }
    Set<Integer> with = new HashSet<>(held);
    with.add(key);
    if (with.size() <= capacity) {
      return mostHits(requests, from + 1, with, capacity);
    }
    long best = 0;
    for (int out : with) {
      Set<Integer> kept = new HashSet<>(with);
      kept.remove(out);
      best = Math.max(best, mostHits(requests, from + 1, kept, capacity));
    }
    return best;
  }

  @Test
  void aLoopOfOneKeyMoreThanFitsMissesOnceARoundAndLruAlways() {
    int[] requests = new int[400];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = i % 4;
    }
    Trace loop = Trace.of(requests);
    assertThat(LeastRecentlyUsed.hits(loop, 3)).isZero();
    // With one entry never admitted, three of four requests hit after the first round.
    assertThat(Belady.hits(loop, 3)).isEqualTo(3 * 99);
  }

  @Test
  void aCacheForAllKeysMissesEachOnce() {
    Trace trace = Trace.of(5, 7, 5, 5, 9, 7);
    assertThat(Belady.hits(trace, 3)).isEqualTo(3);
    assertThat(LeastRecentlyUsed.hits(trace, 3)).isEqualTo(3);
  }
}
