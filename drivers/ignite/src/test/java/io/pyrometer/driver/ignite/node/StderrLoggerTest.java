package io.pyrometer.driver.ignite.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import javax.management.MBeanRegistrationException;
import org.junit.jupiter.api.Test;

class StderrLoggerTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StderrLogger logger =
      new StderrLogger(
          new PrintStream(out, true, StandardCharsets.UTF_8),
          Clock.fixed(Instant.parse("2026-11-25T08:09:10Z"), ZoneOffset.UTC));

  /** Otherwise the first exception of every node's log would be one that is none. */
  @Test
  void mbeansThatAreDisabledOnPurposeAreNoError() {
    logger.error(
        "MBean for system view 'x' can't be created.", new MBeanRegistrationException(null));
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    logger.error("It is broken.", new IllegalStateException("why"));
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("08:09:10 ERROR It is broken.")
        .contains("IllegalStateException: why");
  }
}
