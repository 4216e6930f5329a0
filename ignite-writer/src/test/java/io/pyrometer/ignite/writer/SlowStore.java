package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import javax.cache.Cache;
import org.apache.ignite.cache.store.CacheStoreAdapter;

/** A store that takes two seconds for each write, so that its caller's server thread is busy. */
public final class SlowStore extends CacheStoreAdapter<Long, String> implements Serializable {
  private static final long serialVersionUID = 1;
  private static final long MILLIS = 2_000;

  private final String begun;

  /**
   * A store with a file that tells of its first write.
   *
   * @param begun the file, which exists once a write has begun
   */
  SlowStore(Path begun) {
    this.begun = begun.toString();
  }

  @Override
  public String load(Long key) {
    return null;
  }

  @Override
  public void write(Cache.Entry<? extends Long, ? extends String> entry) {
    try {
      Files.writeString(Path.of(begun), "");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    long end = System.nanoTime() + MILLIS * 1_000_000;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  @Override
  public void delete(Object key) {}
}
