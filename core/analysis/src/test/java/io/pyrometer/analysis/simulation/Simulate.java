package io.pyrometer.analysis.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks the claims of {@code docs/methods.md} on made-up data whose truth is known, and prints the
 * table of {@code lab/simulated-error-rates.md}: {@code ./mvnw -q -pl core/analysis test-compile
 * exec:java@simulate}. {@code -Dexec.args="0.1 gate"} multiplies the sizes by 0.1 and simulates
 * only the claims that contain the words. The same seed gives the same figures.
 */
public final class Simulate {
  private Simulate() {}

  /** Prints the table; sizes are multiplied by the first argument, the second selects claims. */
  public static void main(String[] arguments) {
    double size = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 1;
    System.out.println("| claim | simulated | in 100 cases (cases) |");
    System.out.println("|---|---|---|");
    List<Simulated> rows = new ArrayList<>();
    if (arguments.length > 1) {
      List<Claim> selected =
          Stream.of(quick(), BlockClaims.all(), TailClaims.all(), OutsideClaims.all())
              .flatMap(List::stream)
              .filter(claim -> (claim.claim() + claim.how()).contains(arguments[1]))
              .toList();
      rows.addAll(simulated(selected, size));
    } else {
      rows.addAll(simulated(quick(), size));
      rows.addAll(simulated(BlockClaims.all(), size));
      rows.addAll(new LawClaims(size).simulated());
      rows.addAll(simulated(TailClaims.all(), size));
      rows.addAll(simulated(OutsideClaims.all(), size));
    }
    rows.forEach(row -> System.out.println(row.row()));
    List<String> failed = failed(rows);
    System.out.println(failed.isEmpty() ? "All claims hold." : "Outside their limits: " + failed);
  }

  /** The claims on comparisons, factors and steady state. */
  static List<Claim> quick() {
    List<Claim> claims = new ArrayList<>();
    claims.addAll(ComparisonClaims.all());
    claims.addAll(FactorClaims.all());
    claims.addAll(SteadyStateClaims.all());
    return claims;
  }

  static List<Simulated> simulated(List<Claim> claims, double size) {
    return claims.parallelStream().map(claim -> claim.simulated(size)).toList();
  }

  /** The rows of the table whose claims do not hold. */
  static List<String> failed(List<Simulated> rows) {
    return rows.stream().filter(row -> !row.holds()).map(Simulated::row).toList();
  }
}
