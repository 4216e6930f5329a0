package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PendingBatchTest {
  private static Ack put(PendingBatch<Object, Integer> batch, Object key, Integer value) {
    int hash = PendingBatch.spread(key.hashCode());
    int slot = batch.slotOf(key, hash);
    return slot < 0 ? batch.add(key, hash, value, 10) : batch.replace(slot, value, 0);
  }

  private static Map<Object, Integer> puts(PendingBatch<Object, Integer> batch) {
    return new LinkedHashMap<>(new BatchEntries<>(batch, Part.of(batch, false)));
  }

  @Property(tries = 300)
  void keepsTheLastValueOfEachKeyLikeAMap(
      @ForAll List<@IntRange(max = 60) Integer> keys, @ForAll @IntRange(max = 200) int expected) {
    PendingBatch<Object, Integer> batch = new PendingBatch<>(expected);
    Map<Object, Integer> model = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      put(batch, keys.get(i), i);
      model.put(keys.get(i), i);
    }
    assertThat(puts(batch)).containsExactlyEntriesOf(model);
    assertThat(batch.size()).isEqualTo(model.size());
    assertThat(batch.writes()).isEqualTo(keys.size());
    assertThat(batch.bytes()).isEqualTo(10L * model.size());
  }

  @Test
  void keysOfOneHashStandApart() {
    PendingBatch<Object, Integer> batch = new PendingBatch<>(4);
    List<String> sameHash = List.of("AaAa", "BBBB", "AaBB", "BBAa");
    for (int i = 0; i < sameHash.size(); i++) {
      put(batch, sameHash.get(i), i);
    }
    assertThat(puts(batch)).containsEntry("AaBB", 2).hasSize(4);
    assertThat(batch.slotOf("absent")).isEqualTo(-1);
  }

  @Test
  void writesOfOneKeyShareOneFuture() {
    PendingBatch<Object, Integer> batch = new PendingBatch<>(4);
    assertThat(put(batch, "a", 1)).isSameAs(put(batch, "a", 2)).isNotSameAs(put(batch, "b", 1));
  }

  @Test
  void removalsAndPutsArePartedByWhatCameLast() {
    PendingBatch<Object, Integer> batch = new PendingBatch<>(4);
    put(batch, "written", null);
    put(batch, "written", 1);
    put(batch, "removed", 1);
    put(batch, "removed", null);
    put(batch, "removed", null);
    assertThat(batch.removals()).isEqualTo(1);
    assertThat(puts(batch)).containsExactly(Map.entry("written", 1));
    assertThat(new BatchEntries<>(batch, Part.of(batch, true)).keySet()).containsExactly("removed");
  }

  @Test
  void aPartIsHalvedWithoutLossAndSortedByKey() {
    PendingBatch<Object, Integer> batch = new PendingBatch<>(4);
    List.of(5, 3, 9, 1, 7).forEach(key -> put(batch, key, key));
    Part part = Part.of(batch, false);
    assertThat(part.firstHalf().slots()).containsExactly(0, 1);
    assertThat(part.secondHalf().slots()).containsExactly(2, 3, 4);
    assertThat(new BatchEntries<>(batch, part.sorted(batch)).keySet())
        .containsExactly(1, 3, 5, 7, 9);
  }
}
