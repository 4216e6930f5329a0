package io.pyrometer.driver.ignite.path;

import org.apache.ignite.IgniteCache;

/** A path that changes one field of records that are there, and waits for it. */
abstract class UpdatePath extends SynchronousPath {
  final FieldUpdate update;
  final IgniteCache<Long, Object> cache;

  UpdatePath(PathContext context, int batch, String operation) {
    super(batch, operation);
    this.update = new FieldUpdate(context);
    this.cache = update.cache();
  }
}
