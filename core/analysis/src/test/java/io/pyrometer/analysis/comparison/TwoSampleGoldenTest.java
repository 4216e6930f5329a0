package io.pyrometer.analysis.comparison;

import static io.pyrometer.analysis.Golden.array;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.Golden;
import org.junit.jupiter.api.Test;

class TwoSampleGoldenTest {
  private static final JsonNode GOLDEN = Golden.json("two-sample-tests.json");

  @Test
  void holmAdjusts() {
    JsonNode testing = GOLDEN.get("multiple_testing");
    double[] p = array(testing.get("p"));
    assertThat(MultipleTesting.holm(p)).containsExactly(array(testing.get("holm")), within(1e-14));
  }
}
