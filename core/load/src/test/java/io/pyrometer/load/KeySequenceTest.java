package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.protocol.Settings;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class KeySequenceTest {

  private enum Kind {
    SEQUENTIAL,
    UNIFORM,
    ZIPF
  }

  @Property(tries = 200)
  void keysOfAThreadAreItsOwnAndWithinTheRecords(
      @ForAll Kind kind,
      @ForAll @IntRange(min = 1, max = 7) int threads,
      @ForAll @LongRange(min = 7, max = 5_000) long records,
      @ForAll @DoubleRange(max = 0.9) double repeats,
      @ForAll @LongRange(max = 6_000) long hotKeys,
      @ForAll long seed) {
    Settings settings = settings(kind, records).with("repeats", repeats).with("hot-keys", hotKeys);
    for (int index = 0; index < threads; index++) {
      int thread = index;
      KeySequence keys = KeySequence.of(settings, new LoadThread(thread, threads), seed);
      assertThat(LongStream.generate(keys::next).limit(300))
          .allMatch(key -> key >= 0 && key < records && key % threads == thread);
    }
  }

  @Property(tries = 100)
  void threadsTogetherCoverEveryKeyOnceAPass(
      @ForAll @IntRange(min = 1, max = 9) int threads,
      @ForAll @LongRange(min = 9, max = 2_000) long records) {
    Set<Long> seen = new HashSet<>();
    for (int index = 0; index < threads; index++) {
      KeySpace own = KeySpace.own(new LoadThread(index, threads), records);
      KeySequence keys = KeySequence.passes(own);
      for (long i = 0; i < own.size(); i++) {
        assertThat(seen.add(keys.next())).isTrue();
      }
    }
    assertThat(seen).hasSize((int) records);
  }

  @Test
  void fewerRecordsThanThreadsAreRefused() {
    assertThatThrownBy(() -> KeySpace.own(new LoadThread(0, 3), 2)).hasMessageContaining("records");
  }

  @Test
  void theShareOfRepeatsIsTheOneAskedFor() {
    KeySequence keys =
        KeySequence.of(
            settings(Kind.SEQUENTIAL, 1_000_000).with("repeats", 0.3), new LoadThread(0, 1), 7);
    Set<Long> different = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      different.add(keys.next());
    }
    assertThat(different.size()).isBetween(69_000, 71_000);
  }

  @Test
  void repeatsGoToEachHotKeyAlike() {
    Settings settings =
        settings(Kind.UNIFORM, 1_000_000).with("repeats", 0.8).with("hot-keys", 300L);
    KeySequence keys = KeySequence.of(settings, new LoadThread(1, 3), 7);
    int[] counts = new int[300];
    for (int i = 0; i < 100_000; i++) {
      long key = keys.next();
      if (key < 300) {
        counts[(int) key]++;
      }
    }
    assertThat(Arrays.stream(counts).sum()).isBetween(79_000, 81_000);
    assertThat(Arrays.stream(counts).filter(count -> count > 0)).hasSize(100);
    assertThat(Arrays.stream(counts).filter(count -> count > 0))
        .allMatch(c -> c > 600 && c < 1_000);
  }

  @Test
  void aSeedDrawsTheSameKeysAgain() {
    Settings settings = settings(Kind.UNIFORM, 10_000);
    KeySequence one = KeySequence.of(settings, new LoadThread(0, 2), 5);
    KeySequence other = KeySequence.of(settings, new LoadThread(0, 2), 5);
    for (int i = 0; i < 1_000; i++) {
      assertThat(one.next()).isEqualTo(other.next());
    }
  }

  private static Settings settings(Kind kind, long records) {
    return Trials.SETTINGS
        .with("keys", kind.name().toLowerCase(Locale.ROOT))
        .with("records", records);
  }

  @Property(tries = 100)
  void sharedKeysAreTheSameForEveryThread(
      @ForAll Kind kind,
      @ForAll @IntRange(min = 1, max = 7) int threads,
      @ForAll @LongRange(min = 1, max = 50) long records,
      @ForAll @LongRange(max = 60) long hotKeys,
      @ForAll long seed) {
    Settings settings =
        settings(kind, records)
            .with("key-sharing", "shared")
            .with("repeats", 0.2)
            .with("hot-keys", hotKeys);
    for (int index = 0; index < threads; index++) {
      KeySequence keys = KeySequence.of(settings, new LoadThread(index, threads), seed);
      Set<Long> drawn = new HashSet<>();
      for (int i = 0; i < 2_000; i++) {
        drawn.add(keys.next());
      }
      assertThat(drawn).allMatch(key -> key >= 0 && key < records);
      if (kind != Kind.ZIPF) {
        assertThat(drawn).hasSize((int) records);
      }
    }
  }

  @Test
  void threadsThatShareSequentialKeysBeginApart() {
    Settings settings = settings(Kind.SEQUENTIAL, 9).with("key-sharing", "shared");
    KeySequence keys = KeySequence.of(settings, new LoadThread(2, 3), 7);
    assertThat(LongStream.generate(keys::next).limit(4)).containsExactly(6L, 7L, 8L, 0L);
  }

  /** Ranks 1, 2, 10 and 100 of 1 000 records, counted over four threads together. */
  @Test
  void zipfIsThatOfTheWholeKeySpaceForEveryKeyThatThreadsShare() {
    int[] counts = zipfCounts("shared");
    Arrays.sort(counts);
    for (int rank : new int[] {1, 2, 10, 100}) {
      double expected = DRAWS / HARMONIC_1000 / rank;
      assertThat((double) counts[1_000 - rank])
          .as("rank %s", rank)
          .isBetween(0.93 * expected, 1.07 * expected);
    }
  }

  /**
   * Where each thread has its own keys, the keys of ranks 4g+1 … 4g+4 belong to four different
   * threads, share their Zipf share evenly, and have exactly it together.
   */
  @Test
  void zipfIsThatOfTheWholeKeySpaceForEveryGroupOfOwnKeys() {
    int[] counts = zipfCounts("own");
    int[][] byThread = new int[THREADS][250];
    for (int key = 0; key < counts.length; key++) {
      byThread[key % THREADS][key / THREADS] = counts[key];
    }
    for (int[] own : byThread) {
      Arrays.sort(own);
    }
    for (int group : new int[] {0, 1, 5, 50}) {
      double mass = 0;
      for (int rank = group * THREADS + 1; rank <= (group + 1) * THREADS; rank++) {
        mass += 1 / HARMONIC_1000 / rank;
      }
      double expected = DRAWS * mass;
      double sum = 0;
      for (int[] own : byThread) {
        int count = own[249 - group];
        sum += count;
        assertThat((double) count).isBetween(0.8 * expected / THREADS, 1.2 * expected / THREADS);
      }
      assertThat(sum).as("group %s", group).isBetween(0.95 * expected, 1.05 * expected);
    }
  }

  @Property(tries = 30)
  void everyOwnKeyCanBeDrawnByZipfWhateverTheNumberOfThreads(
      @ForAll @IntRange(min = 1, max = 7) int threads,
      @ForAll @LongRange(min = 7, max = 40) long records) {
    Settings settings = settings(Kind.ZIPF, records).with("zipf-exponent", 0.5);
    Set<Long> drawn = new HashSet<>();
    for (int index = 0; index < threads; index++) {
      KeySequence keys = KeySequence.of(settings, new LoadThread(index, threads), 7);
      LongStream.generate(keys::next).limit(5_000).forEach(drawn::add);
    }
    assertThat(drawn).hasSize((int) records);
  }

  private static final int THREADS = 4;
  private static final int DRAWS = 1_000_000;

  /** H(1000), the sum of 1/r for r from 1 to 1 000. */
  private static final double HARMONIC_1000 = 7.485470860550345;

  private static int[] zipfCounts(String sharing) {
    Settings settings =
        settings(Kind.ZIPF, 1_000).with("zipf-exponent", 1.0).with("key-sharing", sharing);
    int[] counts = new int[1_000];
    for (int index = 0; index < THREADS; index++) {
      KeySequence keys = KeySequence.of(settings, new LoadThread(index, THREADS), 7);
      for (int i = 0; i < DRAWS / THREADS; i++) {
        counts[(int) keys.next()]++;
      }
    }
    return counts;
  }
}
