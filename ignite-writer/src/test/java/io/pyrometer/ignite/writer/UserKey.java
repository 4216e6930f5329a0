package io.pyrometer.ignite.writer;

import org.apache.ignite.cache.affinity.AffinityKeyMapped;

/** A key of an application's own class, placed by one of its fields. */
final class UserKey {
  @AffinityKeyMapped private final int customer;

  private final long order;

  UserKey(int customer, long order) {
    this.customer = customer;
    this.order = order;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UserKey key && key.customer == customer && key.order == order;
  }

  @Override
  public int hashCode() {
    return 31 * customer + Long.hashCode(order);
  }
}
