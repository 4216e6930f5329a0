package io.pyrometer.driver.ignite.data;

import java.util.function.IntFunction;

/**
 * The records of a trial in the form in which an access path hands them to Ignite; for one load
 * thread.
 *
 * @param form makes or gives the value of a record by its number
 * @param binary whether values are binary objects, for a cache that keeps them so
 */
public record RecordValues(IntFunction<Object> form, boolean binary) {
  public Object get(int record) {
    return form.apply(record);
  }
}
