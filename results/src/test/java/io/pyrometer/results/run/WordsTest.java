package io.pyrometer.results.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {

  @Test
  void aFewAreAllNamed() {
    assertThat(Words.andOthers(List.of("put"))).isEqualTo("put");
    assertThat(Words.andOthers(List.of("a", "b", "c", "d"))).isEqualTo("a, b, c and d");
  }

  @Test
  void ofManyTheFirstAreNamedAndTheOthersCounted() {
    assertThat(Words.andOthers(List.of("a", "b", "c", "d", "e"))).isEqualTo("a, b and 3 others");
  }
}
