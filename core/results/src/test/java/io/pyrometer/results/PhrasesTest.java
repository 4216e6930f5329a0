package io.pyrometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PhrasesTest {

  @Test
  void aFewAreAllNamed() {
    assertThat(Phrases.andOthers(List.of("put"))).isEqualTo("put");
    assertThat(Phrases.andOthers(List.of("a", "b", "c", "d"))).isEqualTo("a, b, c and d");
  }

  @Test
  void ofManyTheFirstAreNamedAndTheOthersCounted() {
    assertThat(Phrases.andOthers(List.of("a", "b", "c", "d", "e"))).isEqualTo("a, b and 3 others");
  }
}
