package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.client.CacheClient;
import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.load.AccessPath;
import java.util.List;

/** A path that hands values to a cache, the same number of records each call. */
abstract class WritePath implements AccessPath {
  final RecordValues values;
  final CacheClient cache;
  private final boolean mayDrop;
  private final int window;
  private final int batch;
  private final List<String> operations;

  WritePath(PathContext context, ClientType client, int window, int batch, String... operations) {
    this.values = context.values();
    this.mayDrop = context.mayDrop();
    this.cache = client.open(context, values.binary());
    this.window = window;
    this.batch = batch;
    this.operations = List.of(operations);
  }

  @Override
  public final int window() {
    return window;
  }

  @Override
  public final int recordsPerCall() {
    return batch;
  }

  @Override
  public final List<String> operations() {
    return operations;
  }

  @Override
  public final boolean mayDrop() {
    return mayDrop;
  }

  @Override
  public void close() {
    cache.close();
  }
}
