package io.pyrometer.driver.ignite.data;

import io.pyrometer.protocol.Aggregate;
import java.util.Arrays;
import java.util.TreeMap;
import org.apache.ignite.binary.BinaryObject;

/** The highest value of each of some fields over the records seen. Not safe for threads. */
public final class Maxima {
  private final String[] names;
  private final BinaryFields fields;
  private final double[] highest;
  private long count;

  public Maxima(String[] names) {
    this.names = names;
    this.fields = new BinaryFields(names);
    this.highest = new double[names.length];
    Arrays.fill(highest, Double.NEGATIVE_INFINITY);
  }

  public void see(Object record) {
    Object[] values = fields.of((BinaryObject) record);
    for (int i = 0; i < values.length; i++) {
      raise(i, ((Number) values[i]).doubleValue());
    }
    count++;
  }

  /** Takes in what others found: how many records, then the highest value of each field. */
  public void merge(double[] countAndHighest) {
    for (int i = 0; i < highest.length; i++) {
      raise(i, countAndHighest[i + 1]);
    }
    count += (long) countAndHighest[0];
  }

  /** How many records (exact up to 2⁵³), then the highest value of each field. */
  public double[] countAndHighest() {
    double[] all = new double[highest.length + 1];
    all[0] = count;
    System.arraycopy(highest, 0, all, 1, highest.length);
    return all;
  }

  /** What was seen since the last time this was asked. */
  public Aggregate take() {
    TreeMap<String, Double> byName = new TreeMap<>();
    for (int i = 0; i < names.length && count > 0; i++) {
      byName.put(names[i], highest[i]);
    }
    Aggregate taken = new Aggregate(count, byName);
    count = 0;
    Arrays.fill(highest, Double.NEGATIVE_INFINITY);
    return taken;
  }

  private void raise(int field, double value) {
    if (value > highest[field]) {
      highest[field] = value;
    }
  }
}
