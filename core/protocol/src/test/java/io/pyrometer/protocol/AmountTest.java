package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AmountTest {
  private static Optional<Double> seconds(String text) {
    return Amount.seconds(text).map(BigDecimal::doubleValue);
  }

  @Test
  void timesHaveOneUnitOrSeveral() {
    assertThat(seconds("500ms")).hasValue(0.5);
    assertThat(seconds("1.5h")).hasValue(5_400.0);
    assertThat(seconds("5m30s")).hasValue(330.0);
    assertThat(seconds("1h 30m")).hasValue(5_400.0);
    assertThat(seconds("1h2m3s")).hasValue(3_723.0);
  }

  @Test
  void whatIsNoTimeIsNone() {
    for (String text : new String[] {"", " ", "s", "5m30", "30s5m", "1.5h30m", "-1s", "5x"}) {
      assertThat(seconds(text)).as(text).isEmpty();
    }
  }
}
