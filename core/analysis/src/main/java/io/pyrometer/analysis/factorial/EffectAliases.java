package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The algebra of aliases over words: products of columns. A word is a set of factors, kept as the
 * bits of an int; the product of two words is their exclusive or. Factors have the letters A, B, C
 * … without I, which is the product of none.
 */
final class EffectAliases {
  static final String LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

  /** Shorter words first, then by letters. */
  static final Comparator<Integer> BY_LENGTH =
      Comparator.<Integer>comparingInt(Integer::bitCount).thenComparing(EffectAliases::letters);

  private EffectAliases() {}

  static String letters(int word) {
    return factors(word).mapToObj(i -> LETTERS.substring(i, i + 1)).collect(Collectors.joining());
  }

  static String names(int word, List<Factor> factors) {
    return factors(word).mapToObj(i -> factors.get(i).name()).collect(Collectors.joining(" × "));
  }

  /** The indices of the factors in a word. */
  static IntStream factors(int word) {
    return IntStream.range(0, Integer.SIZE - 1).filter(i -> (word & 1 << i) != 0);
  }

  /** Reads {@code ABC}, or {@code nodes*mode} by the factors' names. */
  static int parse(String text, List<Factor> factors) {
    int word = 0;
    for (String token : tokens(text, factors)) {
      int bit = 1 << index(token, text, factors);
      if ((word & bit) != 0) {
        throw BadDataException.of("%s names %s twice.", text, token);
      }
      word |= bit;
    }
    return word;
  }

  private static List<String> tokens(String text, List<Factor> factors) {
    boolean isName = factors.stream().anyMatch(factor -> factor.name().equals(text));
    if (isName || text.contains("*") || text.contains("×")) {
      return List.of(text.split("\\s*[*×]\\s*"));
    }
    List<String> letters = new ArrayList<>();
    text.chars().forEach(c -> letters.add(String.valueOf((char) c)));
    return letters;
  }

  private static int index(String token, String text, List<Factor> factors) {
    for (int i = 0; i < factors.size(); i++) {
      if (factors.get(i).name().equals(token)) {
        return i;
      }
    }
    int letter = token.length() == 1 ? LETTERS.indexOf(token) : -1;
    if (letter < 0 || letter >= factors.size()) {
      throw BadDataException.of(
          "There is no factor %s in %s; the factors are %s.",
          token, text, factors.stream().map(Factor::name).toList());
    }
    return letter;
  }
}
