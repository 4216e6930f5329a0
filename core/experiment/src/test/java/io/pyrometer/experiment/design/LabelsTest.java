package io.pyrometer.experiment.design;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelsTest {

  private static String of(String... factorsAndLevels) {
    Map<String, String> levels = new LinkedHashMap<>();
    for (int i = 0; i < factorsAndLevels.length; i += 2) {
      levels.put(factorsAndLevels[i], factorsAndLevels[i + 1]);
    }
    return Labels.of(levels, "put");
  }

  @Test
  void aBareValueIsToldWithItsFactorAndAWordIsNot() {
    assertThat(of("path", "put-all", "backups", "1", "sql", "off", "rate", "1.5 MB"))
        .isEqualTo("put-all · backups 1 · sql off · rate 1.5 MB");
    assertThat(of("aware", "true")).isEqualTo("aware true");
    assertThat(of("place", "another region", "case", "3 of 4"))
        .isEqualTo("another region · 3 of 4");
  }

  @Test
  void whatIsAsInTheCaseIsNotTold() {
    assertThat(of("path", "put", "batch", "(as the case)", "repeats", "10%"))
        .isEqualTo("put · repeats 10%");
    assertThat(of("batch", "(as the case)")).isEqualTo("put");
    assertThat(of()).isEqualTo("put");
  }
}
