package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.DriverDescription.JvmFlags;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriverDescriptionTest {
  private static final DriverDescription DRIVER =
      new DriverDescription(
          "some",
          "Some product",
          "1",
          "A product.",
          List.of(),
          ServerDescription.BEFORE_DESCRIPTIONS,
          List.of(new JvmFlags(17, List.of("-a", "-b")), new JvmFlags(24, List.of("-c"))),
          List.of(),
          List.of());

  @Test
  void aJdkGetsTheFlagsOfItsVersionAndOfThoseBefore() {
    assertThat(DRIVER.jvmFlags(16)).isEmpty();
    assertThat(DRIVER.jvmFlags(17)).containsExactly("-a", "-b");
    assertThat(DRIVER.jvmFlags(23)).containsExactly("-a", "-b");
    assertThat(DRIVER.jvmFlags(25)).containsExactly("-a", "-b", "-c");
  }
}
