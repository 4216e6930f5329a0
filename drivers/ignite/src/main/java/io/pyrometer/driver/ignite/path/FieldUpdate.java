package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.driver.ignite.data.SetField;
import io.pyrometer.driver.ignite.data.SetFieldOfObject;
import io.pyrometer.load.Update;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheEntryProcessor;

/** The change of one field: which, of what, and the values that it takes. */
final class FieldUpdate {
  private final boolean binary;
  private final String name;
  private final int field;
  private final Object[][] fields;
  private final IgniteCache<Long, Object> cache;

  FieldUpdate(PathContext context) {
    binary = context.settings().get(PathDescriptions.UPDATE_ON).equals("binary");
    if (!binary) {
      RecordClass.require(context.records().shape());
    }
    field = Update.field(context.records().shape(), context.settings());
    name = context.records().shape().fields().get(field).name();
    fields = context.stock().fields();
    cache = binary ? context.binaryCache() : context.ignite().cache(context.cacheName());
  }

  /** The cache, which gives and takes what the field is changed of. */
  IgniteCache<Long, Object> cache() {
    return cache;
  }

  /** What is there with the field of another record. */
  Object in(Object there, int record) {
    Object value = fields[record][field];
    return binary ? SetField.in(there, name, value) : SetFieldOfObject.in(there, name, value);
  }

  /** The same as something to send to where the entry lies. */
  CacheEntryProcessor<Long, Object, Boolean> processor(int record) {
    Object value = fields[record][field];
    return binary ? new SetField(name, value) : new SetFieldOfObject(name, value);
  }
}
