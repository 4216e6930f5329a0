package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.ContentDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class WriteModelTest {

  private static final Records RECORDS = Trials.records(Trials.SETTINGS.with("records", 1_000));
  private static final KeySpace THREE = KeySpace.own(new LoadThread(2, 3), 900);

  @Property(tries = 200)
  void agreesWithAMapThatReplaysTheWrites(
      @ForAll @Size(max = 300) List<@IntRange(max = 49) Integer> positions,
      @ForAll boolean overwrites) {
    WriteModel model = new WriteModel(THREE, overwrites);
    Map<Long, Integer> replay = new HashMap<>();
    int record = 0;
    for (int position : positions) {
      long key = 2 + 3L * position;
      model.wrote(key, record);
      if (overwrites) {
        replay.put(key, record);
      } else {
        replay.putIfAbsent(key, record);
      }
      record++;
    }
    assertThat(model.expected(contents())).isEqualTo(digest(replay));
  }

  @Property(tries = 50)
  void startsFromWhatWasFilledIn(@ForAll @IntRange(min = 1, max = 300) int keys) {
    WriteModel model = new WriteModel(KeySpace.own(new LoadThread(2, 3), 3L * keys), true);
    model.filled(Long.MAX_VALUE, RECORDS.size());
    Map<Long, Integer> filled = new HashMap<>();
    for (int i = 0; i < keys; i++) {
      filled.put(2 + 3L * i, (int) ((2 + 3L * i) % RECORDS.size()));
    }
    assertThat(model.expected(contents())).isEqualTo(digest(filled));
  }

  private static ExpectedContents contents() {
    return ExpectedContents.written(RECORDS);
  }

  private static ContentDigest digest(Map<Long, Integer> replay) {
    ContentDigest sum = ContentDigest.EMPTY;
    for (Map.Entry<Long, Integer> entry : replay.entrySet()) {
      sum =
          sum.plus(
              new ContentDigest(1, RECORDS.hash(entry.getKey(), RECORDS.fields(entry.getValue()))));
    }
    return sum;
  }
}
