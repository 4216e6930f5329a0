package io.pyrometer.driver.ignite.data;

import javax.cache.processor.MutableEntry;
import org.apache.ignite.cache.CacheEntryProcessor;

/** Replaces a record where the entry lies by the one that it is called with. */
public final class Replacement implements CacheEntryProcessor<Object, Object, Boolean> {
  private static final long serialVersionUID = 1L;

  /** Returns whether there was an entry to replace. */
  @Override
  public Boolean process(MutableEntry<Object, Object> entry, Object... record) {
    boolean existed = entry.exists();
    entry.setValue(record[0]);
    return existed;
  }
}
