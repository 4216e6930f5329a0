package io.pyrometer.analysis.factorial;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Generators of the designs of minimum aberration (Fries and Hunter, 1980; Chen, Sun and Wu, 1993):
 * of all fractions of their size those with the fewest short words. Up to 11 factors.
 */
final class Catalogue {
  private static final List<String> ROWS =
      List.of(
          "3-1 C=AB",
          "4-1 D=ABC",
          "5-1 E=ABCD",
          "5-2 D=AB E=AC",
          "6-1 F=ABCDE",
          "6-2 E=ABC F=ABD",
          "6-3 D=AB E=AC F=BC",
          "7-1 G=ABCDEF",
          "7-2 F=ABC G=ABDE",
          "7-3 E=ABC F=ABD G=ACD",
          "7-4 D=AB E=AC F=BC G=ABC",
          "8-1 H=ABCDEFG",
          "8-2 G=ABCD H=ABEF",
          "8-3 F=ABC G=ABD H=ACDE",
          "8-4 E=ABC F=ABD G=ACD H=BCD",
          "9-2 H=ABCDE J=ABCFG",
          "9-3 G=ABC H=ABDE J=ACDF",
          "9-4 F=ABC G=ABD H=ABE J=ACDE",
          "9-5 E=AB F=AC G=AD H=BCD J=ABCD",
          "10-3 H=ABCD J=ABEF K=ACEG",
          "10-4 G=ABC H=DEF J=ABDE K=ACDF",
          "10-5 F=ABC G=ABD H=ABE J=ACDE K=BCDE",
          "10-6 E=AB F=AC G=BC H=AD J=BCD K=ABCD",
          "11-5 G=ABC H=ABD J=ACDE K=ACDF L=ABEF",
          "11-6 F=ABC G=ABD H=ACD J=ABE K=ACE L=ADE",
          "11-7 E=AB F=AC G=BC H=AD J=BD K=ACD L=BCD");

  private static final Map<String, List<String>> DESIGNS = designs();

  private Catalogue() {}

  /** The generators of the design of k factors in 2^basics runs; empty if it is not listed. */
  static Optional<List<String>> generators(int factors, int basics) {
    return Optional.ofNullable(DESIGNS.get(factors + "-" + (factors - basics)));
  }

  private static Map<String, List<String>> designs() {
    Map<String, List<String>> designs = new LinkedHashMap<>();
    for (String row : ROWS) {
      List<String> cells = List.of(row.split(" "));
      designs.put(cells.get(0), cells.subList(1, cells.size()));
    }
    return Map.copyOf(designs);
  }
}
