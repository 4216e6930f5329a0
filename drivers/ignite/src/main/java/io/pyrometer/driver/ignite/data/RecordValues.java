package io.pyrometer.driver.ignite.data;

import java.util.List;
import java.util.function.IntFunction;

/**
 * The records of a trial in the form in which an access path hands them to Ignite; for one load
 * thread.
 *
 * @param form makes or gives the value of a record by its number
 * @param binary whether values are binary objects, for a cache that keeps them so
 */
public record RecordValues(IntFunction<Object> form, boolean binary) {
  /** What a value is when it is handed over; the first is made before anything is timed. */
  public static final List<String> FORMS =
      List.of("prebuilt", "cached-builder", "fresh-builder", "object", "from-object");

  public Object get(int record) {
    return form.apply(record);
  }
}
