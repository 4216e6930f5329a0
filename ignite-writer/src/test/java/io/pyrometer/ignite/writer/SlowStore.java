package io.pyrometer.ignite.writer;

import java.util.concurrent.locks.LockSupport;
import javax.cache.Cache;
import org.apache.ignite.cache.store.CacheStoreAdapter;

/** A store that takes two seconds for each write, so that its caller's server thread is busy. */
public final class SlowStore extends CacheStoreAdapter<Long, String> {
  static final long MILLIS = 2_000;

  @Override
  public String load(Long key) {
    return null;
  }

  @Override
  public void write(Cache.Entry<? extends Long, ? extends String> entry) {
    long end = System.nanoTime() + MILLIS * 1_000_000;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  @Override
  public void delete(Object key) {}
}
