package io.pyrometer.driver.coherence;

import com.tangosol.util.InvocableMap;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Sent to every member: the number of records and the highest value of each of some fields. */
final class HighestOfBytes
    implements InvocableMap.StreamingAggregator<
            Long, byte[], HighestOfBytes.Found, HighestOfBytes.Found>,
        Serializable {
  private static final long serialVersionUID = 1L;

  private final FieldType[] types;
  private final int[] places;
  private final Found found;

  /**
   * @param types of all fields of a record, in the shape's order
   * @param places of the fields to look at
   */
  HighestOfBytes(List<FieldType> types, List<Integer> places) {
    this.types = types.toArray(FieldType[]::new);
    this.places = places.stream().mapToInt(Integer::intValue).toArray();
    this.found = new Found(places.size());
  }

  /** What was found. */
  static final class Found implements Serializable {
    private static final long serialVersionUID = 1L;

    private final double[] highest;
    private long count;

    private Found(int fields) {
      this.highest = new double[fields];
      Arrays.fill(highest, Double.NEGATIVE_INFINITY);
    }

    long count() {
      return count;
    }

    double[] highest() {
      return highest;
    }
  }

  @Override
  public InvocableMap.StreamingAggregator<Long, byte[], Found, Found> supply() {
    return new HighestOfBytes(List.of(types), Arrays.stream(places).boxed().toList());
  }

  @Override
  public boolean accumulate(InvocableMap.Entry<? extends Long, ? extends byte[]> entry) {
    Object[] fields = RecordBytes.fields(List.of(types), entry.getValue());
    for (int i = 0; i < places.length; i++) {
      found.highest[i] = Math.max(found.highest[i], ((Number) fields[places[i]]).doubleValue());
    }
    found.count++;
    return true;
  }

  @Override
  public boolean combine(Found other) {
    for (int i = 0; i < places.length; i++) {
      found.highest[i] = Math.max(found.highest[i], other.highest[i]);
    }
    found.count += other.count;
    return true;
  }

  @Override
  public Found getPartialResult() {
    return found;
  }

  @Override
  public Found finalizeResult() {
    return found;
  }

  @Override
  public int characteristics() {
    return PARALLEL;
  }
}
