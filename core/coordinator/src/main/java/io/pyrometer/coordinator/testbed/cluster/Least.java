package io.pyrometer.coordinator.testbed.cluster;

import java.util.OptionalLong;

/** The least value that was seen. */
final class Least {
  private OptionalLong least = OptionalLong.empty();

  /** The least with this one; empty where this one is, since it is not known then. */
  OptionalLong seen(OptionalLong now) {
    least =
        now.isEmpty() || least.isEmpty()
            ? now
            : OptionalLong.of(Math.min(now.getAsLong(), least.getAsLong()));
    return least;
  }
}
