package io.pyrometer.experiment.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The right name nearest to a wrong one. */
public final class SpellingSuggestion {

  private static final int LISTED = 24;

  private SpellingSuggestion() {}

  /** The candidate fewest edits away, if that is few for a word of this length. */
  public static Optional<String> to(String wrong, Collection<String> candidates) {
    String given = wrong.toLowerCase(Locale.ROOT);
    return candidates.stream()
        .filter(right -> edits(given, right.toLowerCase(Locale.ROOT)) <= allowed(given, right))
        .min(
            Comparator.<String>comparingInt(right -> edits(given, right.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()))
        .or(() -> candidates.stream().filter(right -> begins(given, right)).findFirst());
  }

  /** {@code did you mean 'x'?}, or all the right names if none is near. */
  public static String hint(String wrong, Collection<String> candidates) {
    return to(wrong, candidates)
        .map(right -> "did you mean '" + right + "'?")
        .orElseGet(() -> all(candidates));
  }

  private static String all(Collection<String> candidates) {
    if (candidates.isEmpty()) {
      return "there is none to choose from.";
    }
    if (candidates.size() > LISTED) {
      return "docs/reference.md has those that exist.";
    }
    return "choose from " + String.join(", ", candidates) + ".";
  }

  private static boolean begins(String given, String right) {
    return Math.min(given.length(), right.length()) >= 3
        && (given.startsWith(right) || right.startsWith(given));
  }

  private static int allowed(String given, String right) {
    int length = Math.max(given.length(), right.length());
    return length <= 3 ? 1 : Math.max(2, length / 4);
  }

  /** Damerau–Levenshtein distance of adjacent transpositions (optimal string alignment). */
  public static int edits(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        d[i][j] = i + j;
        if (i > 0 && j > 0) {
          int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
          d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
        }
        if (swapped(a, b, i, j)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }

  private static boolean swapped(String a, String b, int i, int j) {
    return i > 1
        && j > 1
        && a.charAt(i - 1) == b.charAt(j - 2)
        && a.charAt(i - 2) == b.charAt(j - 1);
  }
}
