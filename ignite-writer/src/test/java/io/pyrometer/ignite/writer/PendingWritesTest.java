package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PendingWritesTest {
  private static WriteFuture write(
      PendingWrites<Object, Integer> waiting, Object key, Integer value) {
    int hash = PendingWrites.spread(key.hashCode());
    int slot = waiting.slotOf(key, hash);
    return slot < 0
        ? waiting.append(key, hash, 0, value, 10, -1)
        : waiting.replace(slot, value, 10);
  }

  private static Map<Object, Integer> puts(Batch<Object, Integer> batch) {
    return new LinkedHashMap<>(new BatchEntries<>(batch, BatchSlice.of(batch, false)));
  }

  /** A key whose hashes collide often, so that the table has long runs to be mended. */
  private record Crowded(int key) {
    @Override
    public int hashCode() {
      return key % 3;
    }
  }

  @Property(tries = 300)
  void isAMapInTheOrderOfFirstWritesThatIsTakenFromItsFront(
      @ForAll @Size(max = 400) List<@IntRange(min = -60, max = 300) Integer> steps,
      @ForAll boolean crowded) {
    PendingWrites<Object, Integer> waiting = new PendingWrites<>();
    Map<Object, Integer> model = new LinkedHashMap<>();
    Map<Object, Integer> merged = new HashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      int step = steps.get(i);
      if (step < 0) {
        Map<Object, Integer> front = new LinkedHashMap<>();
        model.entrySet().stream()
            .limit(-step)
            .forEach(entry -> front.put(entry.getKey(), entry.getValue()));
        model.keySet().removeAll(front.keySet());
        merged.keySet().removeAll(front.keySet());
        assertThat(puts(waiting.take(-step, Long.MAX_VALUE))).containsExactlyEntriesOf(front);
      } else {
        Object key = crowded ? new Crowded(step) : step;
        write(waiting, key, i);
        if (model.put(key, i) != null) {
          merged.merge(key, 1, Integer::sum);
        }
      }
      assertThat(waiting.size()).isEqualTo(model.size());
    }
    Batch<Object, Integer> rest = waiting.take(Integer.MAX_VALUE, Long.MAX_VALUE);
    assertThat(puts(rest)).containsExactlyEntriesOf(model);
    long mergedWrites = merged.values().stream().mapToLong(Integer::longValue).sum();
    assertThat(rest.bytes())
        .isEqualTo(10L * model.size() + SizeEstimate.PER_MERGED_WRITE * mergedWrites);
    assertThat(waiting.size()).isZero();
  }

  @Test
  void writesOfOneKeyShareOneFuture() {
    PendingWrites<Object, Integer> waiting = new PendingWrites<>();
    assertThat(write(waiting, "a", 1))
        .isSameAs(write(waiting, "a", 2))
        .isNotSameAs(write(waiting, "b", 1));
    assertThat(waiting.mergedSinceTake()).isEqualTo(1);
  }

  @Test
  void aKeyThatWasTakenIsANewEntry() {
    PendingWrites<Object, Integer> waiting = new PendingWrites<>();
    WriteFuture first = write(waiting, "a", 1);
    waiting.take(1, Long.MAX_VALUE);
    assertThat(write(waiting, "a", 2)).isNotSameAs(first);
  }

  @Test
  void removalsAndPutsArePartedByWhatCameLast() {
    PendingWrites<Object, Integer> waiting = new PendingWrites<>();
    write(waiting, "written", null);
    write(waiting, "written", 1);
    write(waiting, "removed", 1);
    write(waiting, "removed", null);
    write(waiting, "removed", null);
    Batch<Object, Integer> batch = waiting.take(9, Long.MAX_VALUE);
    assertThat(batch.removals()).isEqualTo(1);
    assertThat(puts(batch)).containsExactly(Map.entry("written", 1));
    assertThat(new BatchEntries<>(batch, BatchSlice.of(batch, true)).keySet())
        .containsExactly("removed");
    assertThat(batch.slotOf("removed")).isEqualTo(1);
    assertThat(batch.slotOf("absent")).isEqualTo(-1);
  }

  @Test
  void aPartIsHalvedWithoutLossAndSortedByKey() {
    PendingWrites<Object, Integer> waiting = new PendingWrites<>();
    List.of(5, 3, 9, 1, 7).forEach(key -> write(waiting, key, key));
    Batch<Object, Integer> batch = waiting.take(5, Long.MAX_VALUE);
    BatchSlice part = BatchSlice.of(batch, false);
    assertThat(part.firstHalf().slots()).containsExactly(0, 1);
    assertThat(part.secondHalf().slots()).containsExactly(2, 3, 4);
    assertThat(new BatchEntries<>(batch, part.sorted(batch)).keySet())
        .containsExactly(1, 3, 5, 7, 9);
  }

  @Test
  void aPartGoesPartitionByPartitionAndInEachByTheHashesOfItsKeys() {
    PendingWrites<Object, Integer> waiting = new PendingWrites<>();
    List<Integer> keys = new ArrayList<>(IntStream.range(-100, 100).boxed().toList());
    Collections.shuffle(keys, new Random(1));
    for (int key : keys) {
      waiting.append(key, PendingWrites.spread(key), Math.floorMod(key, 3), key, 10, -1);
    }
    Batch<Object, Integer> batch = waiting.take(200, Long.MAX_VALUE);
    BatchSlice part = BatchSlice.of(batch, false).byPartition(batch);
    assertThat(IntStream.of(part.slots()).mapToObj(batch::key))
        .hasSize(200)
        .isSortedAccordingTo(
            Comparator.comparingInt(key -> Math.floorMod((int) key, 3))
                .thenComparingInt(key -> (int) key));
  }

  @Property
  void aSpreadHashGivesBackTheHash(@ForAll int hash) {
    assertThat(PendingWrites.unspread(PendingWrites.spread(hash))).isEqualTo(hash);
  }

  @Test
  void entriesAreNeverTakenToBeYoungerThanTheyAre() throws Exception {
    PendingWrites<Object, Integer> waiting = new PendingWrites<>();
    write(waiting, "a", 1);
    long before = System.nanoTime();
    Thread.sleep(2);
    write(waiting, "b", 1);
    assertThat(waiting.takeOlderThan(before).size()).as("may share a's instant").isBetween(1, 2);
    long later = System.nanoTime();
    Thread.sleep(2);
    waiting.refresh();
    write(waiting, "c", 1);
    assertThat(waiting.take(9, Long.MAX_VALUE).oldest()).isLessThan(System.nanoTime());
    write(waiting, "d", 1);
    assertThat(waiting.takeOlderThan(later).size()).as("an empty queue reads the clock").isZero();
  }
}
