package io.pyrometer.coordinator.testbed.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Shape;
import org.junit.jupiter.api.Test;

class NetemLinksTest {

  private static String words(Shape shape) {
    return String.join(" ", NetemLinks.command(shape));
  }

  @Test
  void aPlainLinkIsGivenNoDelay() {
    assertThat(words(Shape.PLAIN)).isEqualTo("tc qdisc replace dev eth0 root netem limit 10000");
  }

  @Test
  void jitterOnTopOfADelayLiesAroundItsMiddle() {
    assertThat(words(new Shape(0.015, 0.002, 0, 0))).endsWith("limit 10000 delay 16000us 1000us");
  }

  @Test
  void rateAndLossAreSaidAsTheCommandReadsThem() {
    assertThat(words(new Shape(0.001, 0, 1e8, 0.005)))
        .endsWith("delay 1000us loss 0.500000% rate 100000000bit");
  }
}
