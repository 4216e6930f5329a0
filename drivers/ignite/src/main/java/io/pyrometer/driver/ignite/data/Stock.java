package io.pyrometer.driver.ignite.data;

import io.pyrometer.load.Records;
import java.util.Map;
import java.util.TreeMap;
import org.apache.ignite.IgniteBinary;

/** The values of one trial: those made beforehand are made once for all load threads. */
public final class Stock {
  private final IgniteBinary binary;
  private final Records records;
  private final Map<String, Values> shared = new TreeMap<>();

  public Stock(IgniteBinary binary, Records records) {
    this.binary = binary;
    this.records = records;
  }

  public Records records() {
    return records;
  }

  /** Values in one of {@link Values#FORMS}, for one load thread. */
  public synchronized Values in(String form) {
    return form.equals("prebuilt") || form.equals("object")
        ? shared.computeIfAbsent(form, wanted -> Values.of(wanted, binary, records))
        : Values.of(form, binary, records);
  }

  /** Values as they are filled in: made beforehand. */
  public Values prebuilt() {
    return in("prebuilt");
  }
}
