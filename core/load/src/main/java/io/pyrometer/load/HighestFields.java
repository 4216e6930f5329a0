package io.pyrometer.load;

import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.Settings;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;

/**
 * The highest value of each field that a job aggregates over, among the records seen. Not safe for
 * threads.
 */
public final class HighestFields implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String[] names;
  private final int[] places;
  private final double[] highest;
  private long count;

  /**
   * Aggregates over the fields that a trial's settings name.
   *
   * @throws IllegalArgumentException if one of them is not numeric
   */
  public HighestFields(RecordShape shape, Settings settings) {
    this.names = Aggregation.fields(shape, settings).toArray(String[]::new);
    List<String> all = shape.fields().stream().map(FieldShape::name).toList();
    this.places = Arrays.stream(names).mapToInt(all::indexOf).toArray();
    this.highest = new double[places.length];
    Arrays.fill(highest, Double.NEGATIVE_INFINITY);
  }

  private HighestFields(String[] names, int[] places) {
    this.names = names;
    this.places = places;
    this.highest = new double[places.length];
    Arrays.fill(highest, Double.NEGATIVE_INFINITY);
  }

  /** Collector of the same fields that has seen nothing. */
  public HighestFields empty() {
    return new HighestFields(names, places);
  }

  /** The fields aggregated over, in the order of {@link #merge}. */
  public List<String> names() {
    return List.of(names);
  }

  /** The name at a place of {@link #names()}. */
  public String name(int place) {
    return names[place];
  }

  /** Takes a record in, its fields in the shape's order. */
  public void see(Object[] fields) {
    seeValues(i -> ((Number) fields[places[i]]).doubleValue());
  }

  /** Takes a record in by the values of {@link #names()}, each given its place among them. */
  public void seeValues(IntToDoubleFunction value) {
    for (int i = 0; i < highest.length; i++) {
      highest[i] = Math.max(highest[i], value.applyAsDouble(i));
    }
    count++;
  }

  /** Takes in what others found among {@code records} records: the highest value of each field. */
  public void merge(long records, double[] values) {
    for (int i = 0; i < highest.length; i++) {
      highest[i] = Math.max(highest[i], values[i]);
    }
    count += records;
  }

  /** Takes in what others found over the same fields. */
  public HighestFields merge(HighestFields other) {
    merge(other.count, other.highest);
    return this;
  }

  /** Aggregate of what was seen since the last time this was asked. */
  public Aggregate take() {
    TreeMap<String, Double> byName = new TreeMap<>();
    for (int i = 0; i < highest.length && count > 0; i++) {
      byName.put(names[i], highest[i]);
    }
    Aggregate taken = new Aggregate(count, byName);
    count = 0;
    Arrays.fill(highest, Double.NEGATIVE_INFINITY);
    return taken;
  }
}
