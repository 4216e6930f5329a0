package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.ContentDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;

class ChecksumTest {

  private final Records records = Trials.records(Trials.SETTINGS);

  @Property(tries = 100)
  void doesNotDependOnTheOrder(
      @ForAll @Size(max = 200) @UniqueElements List<Long> keys, @ForAll long seed) {
    List<Long> shuffled = new ArrayList<>(keys);
    Collections.shuffle(shuffled, new Random(seed));
    assertThat(digest(shuffled, 0)).isEqualTo(digest(keys, 0));
  }

  @Property(tries = 100)
  void tellsWhenOneRecordIsAnother(
      @ForAll @Size(min = 1, max = 50) @UniqueElements List<Long> keys,
      @ForAll @IntRange(min = 1, max = 1_000) int off) {
    assertThat(digest(keys, off)).isNotEqualTo(digest(keys, 0));
  }

  @Property(tries = 100)
  void tellsWhenTwoKeysHaveSwappedTheirRecords(@ForAll long one, @ForAll long other) {
    if (one != other) {
      long right = hash(one, 1) + hash(other, 2);
      long swapped = hash(one, 2) + hash(other, 1);
      assertThat(swapped).isNotEqualTo(right);
    }
  }

  private ContentDigest digest(List<Long> keys, int off) {
    ContentDigest sum = ContentDigest.EMPTY;
    for (long key : keys) {
      int record = (int) Math.floorMod(key, 1_000L);
      sum = sum.plus(new ContentDigest(1, hash(key, record + off)));
    }
    return sum;
  }

  private long hash(long key, int record) {
    return records.hash(key, records.fields(record));
  }
}
