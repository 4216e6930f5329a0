package io.pyrometer.analysis.factorial;

import java.util.List;
import java.util.stream.IntStream;

/** Factors to test with. */
final class Factors {
  private Factors() {}

  /** Named by their letters, with levels − and +. */
  static List<Factor> letters(int k) {
    return IntStream.range(0, k)
        .mapToObj(i -> Factor.of(EffectAliases.LETTERS.substring(i, i + 1), "-1", "1"))
        .toList();
  }

  /** Those of the published experiment. */
  static List<Factor> published() {
    return List.of(
        Factor.of("nodes", "2", "4"),
        Factor.of("awareness", "false", "true"),
        Factor.of("partitioned", "false", "true"),
        Factor.of("persistence", "false", "true"),
        Factor.of("region", "512", "2048"),
        Factor.of("cores", "1", "2"));
  }
}
