package io.pyrometer.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class SpellingSuggestionTest {

  @Test
  void editsAreCountedWithTranspositionsAsOne() {
    assertThat(SpellingSuggestion.edits("kitten", "sitting")).isEqualTo(3);
    assertThat(SpellingSuggestion.edits("recrods", "records")).isEqualTo(1);
    assertThat(SpellingSuggestion.edits("", "abc")).isEqualTo(3);
  }

  @Test
  void aWordFarFromAllGetsTheListInstead() {
    assertThat(SpellingSuggestion.hint("elephant", List.of("put", "get"))).contains("put, get");
    assertThat(SpellingSuggestion.hint("memcached", List.of("ehcache", "redis")))
        .as("three letters of nine make another word")
        .contains("ehcache, redis");
  }

  @Property
  void distanceIsSymmetricAndZeroOnlyForEqualWords(
      @ForAll @AlphaChars @StringLength(max = 8) String a,
      @ForAll @AlphaChars @StringLength(max = 8) String b) {
    assertThat(SpellingSuggestion.edits(a, b)).isEqualTo(SpellingSuggestion.edits(b, a));
    assertThat(SpellingSuggestion.edits(a, b) == 0).isEqualTo(a.equals(b));
  }
}
