package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.protocol.Settings;
import java.util.Arrays;
import java.util.HashSet;
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
  void keysOfALaneAreItsOwnAndWithinTheRecords(
      @ForAll Kind kind,
      @ForAll @IntRange(min = 1, max = 7) int lanes,
      @ForAll @LongRange(min = 7, max = 5_000) long records,
      @ForAll @DoubleRange(max = 0.9) double repeats,
      @ForAll @LongRange(max = 6_000) long hotKeys,
      @ForAll long seed) {
    Settings settings = settings(kind, records).with("repeats", repeats).with("hot-keys", hotKeys);
    for (int index = 0; index < lanes; index++) {
      int lane = index;
      KeySequence keys = KeySequence.of(settings, new LoadThread(lane, lanes), seed);
      assertThat(LongStream.generate(keys::next).limit(300))
          .allMatch(key -> key >= 0 && key < records && key % lanes == lane);
    }
  }

  @Property(tries = 100)
  void lanesTogetherCoverEveryKeyOnceAPass(
      @ForAll @IntRange(min = 1, max = 9) int lanes,
      @ForAll @LongRange(min = 9, max = 2_000) long records) {
    Set<Long> seen = new HashSet<>();
    for (int index = 0; index < lanes; index++) {
      KeySequence keys = KeySequence.passes(new LoadThread(index, lanes), records);
      for (long i = 0; i < keys.laneKeys(); i++) {
        assertThat(seen.add(keys.next())).isTrue();
      }
    }
    assertThat(seen).hasSize((int) records);
  }

  @Test
  void aSequentialLaneWraps() {
    KeySequence keys = KeySequence.passes(new LoadThread(1, 3), 9);
    assertThat(LongStream.generate(keys::next).limit(4)).containsExactly(1L, 4L, 7L, 1L);
  }

  @Test
  void fewerRecordsThanLanesAreRefused() {
    assertThatThrownBy(() -> KeySequence.passes(new LoadThread(0, 3), 2))
        .hasMessage("2 records are fewer than the 3 load threads; set more records.");
  }

  @Test
  void zipfFrequenciesFallWithTheRankAsTheExponentSays() {
    int records = 1_000;
    int draws = 400_000;
    KeySequence keys =
        KeySequence.of(
            settings(Kind.ZIPF, records).with("zipf-exponent", 1.0), new LoadThread(0, 1), 7);
    int[] counts = new int[records];
    for (int i = 0; i < draws; i++) {
      counts[(int) keys.next()]++;
    }
    Arrays.sort(counts);
    double harmonic = 7.485470860550345;
    assertThat(counts[records - 1])
        .isBetween(share(draws, harmonic, 1, 0.95), share(draws, harmonic, 1, 1.05));
    assertThat(counts[records - 10])
        .isBetween(share(draws, harmonic, 10, 0.9), share(draws, harmonic, 10, 1.1));
    assertThat(counts[0]).isPositive();
  }

  private static int share(int draws, double harmonic, int rank, double factor) {
    return (int) (factor * draws / harmonic / rank);
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
        .with("keys", kind.name().toLowerCase(java.util.Locale.ROOT))
        .with("records", records);
  }
}
