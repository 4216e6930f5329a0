package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Estimate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NumbersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "226431|226 k",
        "46474.347|46.5 k",
        "3400|3,400",
        "9999|10 k",
        "0.077497|0.0775",
        "0|0",
        "-1397|−1,400",
        "1234567|1.23 M",
        "471.3|471",
        "0.00000123|1.23e−06",
        "999600|1 M"
      })
  void threeDigitsAndThousands(double value, String shown) {
    assertThat(Numbers.shorten(value)).isEqualTo(shown);
  }

  @Test
  void theFiguresOfAnIntervalShareTheirUnit() {
    Estimate estimate = new Estimate(9_980, -2_760, 22_700, 0.95, 3, "");
    assertThat(Numbers.estimate(estimate)).isEqualTo("9.98 k [−2.76 k, 22.7 k]");
  }

  @Test
  void aValueSeenOnceHasNoBrackets() {
    assertThat(Numbers.estimate(Estimate.unreplicated(226_431, "ops/s"))).isEqualTo("226 k");
    assertThat(Numbers.interval(Estimate.unreplicated(226_431, "ops/s"))).isEqualTo("–");
  }

  @Test
  void timesTakeTheUnitThatSuitsThem() {
    assertThat(Numbers.micros(12.34)).isEqualTo("12.3 µs");
    assertThat(Numbers.micros(1_250)).isEqualTo("1.25 ms");
    assertThat(Numbers.micros(2_500_000)).isEqualTo("2.5 s");
    assertThat(Numbers.micros(150_000_000)).isEqualTo("2.5 min");
  }

  @Property(tries = 500)
  void whatIsShownIsWithinHalfOfItsLastDigit(
      @ForAll @DoubleRange(min = 0.01, max = 1e12) double value) {
    String shown = Numbers.shorten(value).replace(",", "");
    double unit =
        shown.endsWith(" k") ? 1e3 : shown.endsWith(" M") ? 1e6 : shown.endsWith(" G") ? 1e9 : 1;
    unit = shown.endsWith(" T") ? 1e12 : unit;
    double back = Double.parseDouble(shown.replaceAll(" [kMGT]", "")) * unit;
    assertThat(Math.abs(back / value - 1)).isLessThanOrEqualTo(0.00501);
  }

  @Test
  void anIntervalOfMoreThanAFactorOfTwentyIsNotPrinted() {
    Estimate wide = new Estimate(363, 0.0179, 7.34e6, 0.95, 2, "");
    assertThat(Numbers.ratio(wide)).startsWith("363× [").doesNotContain(",");
    assertThat(Numbers.interval(wide)).doesNotContain(",");
    assertThat(Numbers.estimate(new Estimate(12.9, 0, 6_843_155, 0.95, 2, "ms")))
        .startsWith("12.9 [")
        .doesNotContain(",");
    assertThat(Numbers.ratio(new Estimate(2, 1, 4, 0.95, 3, ""))).isEqualTo("2× [1×, 4×]");
    assertThat(new Estimate(0.3, 0, 0.9, 0.95, 3, "").tooWide()).isFalse();
  }
}
