package io.pyrometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class NearestTest {

  @Test
  void editsAreCountedWithTranspositionsAsOne() {
    assertThat(Nearest.edits("kitten", "sitting")).isEqualTo(3);
    assertThat(Nearest.edits("recrods", "records")).isEqualTo(1);
    assertThat(Nearest.edits("", "abc")).isEqualTo(3);
  }

  @Test
  void aWordFarFromAllGetsTheListInstead() {
    assertThat(Nearest.hint("elephant", List.of("put", "get"))).isEqualTo("choose from put, get.");
  }

  @Property
  void distanceIsSymmetricAndZeroOnlyForEqualWords(
      @ForAll @AlphaChars @StringLength(max = 8) String a,
      @ForAll @AlphaChars @StringLength(max = 8) String b) {
    assertThat(Nearest.edits(a, b)).isEqualTo(Nearest.edits(b, a));
    assertThat(Nearest.edits(a, b) == 0).isEqualTo(a.equals(b));
  }
}
