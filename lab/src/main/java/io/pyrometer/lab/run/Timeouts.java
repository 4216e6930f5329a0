package io.pyrometer.lab.run;

import java.time.Duration;

/** How long a worker may take before it is given up. */
final class Timeouts {
  static final Duration QUICK = Duration.ofSeconds(20);
  static final Duration START = Duration.ofSeconds(90);
  static final Duration PREPARE = Duration.ofMinutes(3);
  static final Duration FINISH = Duration.ofSeconds(60);
  static final Duration VERIFY = Duration.ofMinutes(3);
  static final Duration STOP = Duration.ofSeconds(3);

  private Timeouts() {}
}
