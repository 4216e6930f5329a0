package io.pyrometer.driver.hazelcast;

import com.hazelcast.aggregation.Aggregator;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import java.util.Arrays;
import java.util.Map;

/** Sent to every member: the number of records and the highest value of each of some fields. */
final class HighestAggregator
    implements Aggregator<Map.Entry<Long, GenericRecord>, HighestAggregator> {
  private static final long serialVersionUID = 1L;

  private final String[] names;
  private final double[] highest;
  private long count;

  HighestAggregator(String[] names) {
    this.names = names;
    this.highest = new double[names.length];
    Arrays.fill(highest, Double.NEGATIVE_INFINITY);
  }

  long count() {
    return count;
  }

  double[] highest() {
    return highest;
  }

  @Override
  public void accumulate(Map.Entry<Long, GenericRecord> entry) {
    GenericRecord found = entry.getValue();
    for (int i = 0; i < highest.length; i++) {
      highest[i] = Math.max(highest[i], number(found, names[i]));
    }
    count++;
  }

  private static double number(GenericRecord found, String name) {
    return switch (found.getFieldKind(name)) {
      case INT64 -> found.getInt64(name);
      case INT32 -> found.getInt32(name);
      case FLOAT32 -> found.getFloat32(name);
      default -> found.getFloat64(name);
    };
  }

  @Override
  public void combine(@SuppressWarnings("rawtypes") Aggregator other) {
    HighestAggregator found = (HighestAggregator) other;
    for (int i = 0; i < highest.length; i++) {
      highest[i] = Math.max(highest[i], found.highest[i]);
    }
    count += found.count;
  }

  @Override
  public HighestAggregator aggregate() {
    return this;
  }
}
