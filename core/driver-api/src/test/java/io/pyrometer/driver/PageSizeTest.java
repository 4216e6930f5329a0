package io.pyrometer.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 4096", // a record without values
    "120, 4096",
    "256, 4096",
    "60000, 17",
    "1048576, 1",
    "16777216, 1" // larger than a page
  })
  void aPageHoldsAtMostOneMegabyteAndAtLeastOneRecord(long recordBytes, int records) {
    assertThat(PageSize.of(recordBytes, 4_096)).isEqualTo(records);
  }
}
