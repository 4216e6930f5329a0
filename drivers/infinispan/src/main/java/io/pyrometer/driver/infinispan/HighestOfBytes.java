package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.RecordBytes;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collector;
import org.infinispan.util.function.SerializableSupplier;

/**
 * Sent to every server with a stream: collects the number of records and the highest value of each
 * of some fields.
 *
 * @param types of all fields of a record, in the shape's order
 * @param places of the fields to look at
 */
record HighestOfBytes(List<FieldType> types, List<Integer> places)
    implements SerializableSupplier<Collector<? super byte[], ?, HighestOfBytes.Found>> {

  @Override
  public Collector<? super byte[], ?, Found> get() {
    return Collector.<byte[], Found>of(
        () -> new Found(places.size()),
        (found, record) -> found.see(RecordBytes.fields(types, record), places),
        Found::plus,
        Collector.Characteristics.UNORDERED);
  }

  /** What a server found. */
  static final class Found implements Serializable {
    private static final long serialVersionUID = 1L;

    private final double[] highest;
    private long count;

    Found(int fields) {
      this.highest = new double[fields];
      Arrays.fill(highest, Double.NEGATIVE_INFINITY);
    }

    long count() {
      return count;
    }

    double[] highest() {
      return highest;
    }

    void see(Object[] fields, List<Integer> places) {
      for (int i = 0; i < highest.length; i++) {
        highest[i] = Math.max(highest[i], ((Number) fields[places.get(i)]).doubleValue());
      }
      count++;
    }

    Found plus(Found other) {
      for (int i = 0; i < highest.length; i++) {
        highest[i] = Math.max(highest[i], other.highest[i]);
      }
      count += other.count;
      return this;
    }
  }
}
