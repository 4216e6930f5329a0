package io.pyrometer.analysis.factorial;

import static java.util.stream.Collectors.toMap;

import io.pyrometer.analysis.BadDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Makes designs of factors with two levels. Run 1 has all basic factors low; A changes fastest. */
public final class Designs {
  private static final int MAX_FACTORS = 16;

  /**
   * Generators of the designs of minimum aberration by factors and generated factors (Fries and
   * Hunter, 1980; Chen, Sun and Wu, 1993): the fractions of their size with the fewest short words.
   */
  private static final Map<String, List<String>> CATALOGUE =
      """
      3-1 C=AB
      4-1 D=ABC
      5-1 E=ABCD
      5-2 D=AB E=AC
      6-1 F=ABCDE
      6-2 E=ABC F=ABD
      6-3 D=AB E=AC F=BC
      7-1 G=ABCDEF
      7-2 F=ABC G=ABDE
      7-3 E=ABC F=ABD G=ACD
      7-4 D=AB E=AC F=BC G=ABC
      8-1 H=ABCDEFG
      8-2 G=ABCD H=ABEF
      8-3 F=ABC G=ABD H=ACDE
      8-4 E=ABC F=ABD G=ACD H=BCD
      9-2 H=ABCDE J=ABCFG
      9-3 G=ABC H=ABDE J=ACDF
      9-4 F=ABC G=ABD H=ABE J=ACDE
      9-5 E=AB F=AC G=AD H=BCD J=ABCD
      10-3 H=ABCD J=ABEF K=ACEG
      10-4 G=ABC H=DEF J=ABDE K=ACDF
      10-5 F=ABC G=ABD H=ABE J=ACDE K=BCDE
      10-6 E=AB F=AC G=BC H=AD J=BCD K=ABCD
      11-5 G=ABC H=ABD J=ACDE K=ACDF L=ABEF
      11-6 F=ABC G=ABD H=ACD J=ABE K=ACE L=ADE
      11-7 E=AB F=AC G=BC H=AD J=BD K=ACD L=BCD
      """
          .lines()
          .map(row -> List.of(row.split(" ")))
          .collect(toMap(row -> row.get(0), row -> row.subList(1, row.size())));

  private Designs() {}

  /** All 2^k runs. */
  public static TwoLevelDesign full(List<Factor> factors) {
    return fromGenerators(factors, List.of());
  }

  /**
   * A fraction by its generators.
   *
   * @param generators for example {@code E=AB} or {@code F=-CD}, by letters or by names with *
   * @throws BadDataException if a generator cannot be read, or makes two factors the same
   */
  public static TwoLevelDesign fromGenerators(List<Factor> factors, List<String> generators) {
    checked(factors);
    List<Generator> parsed = new ArrayList<>();
    int generated = 0;
    int negative = 0;
    for (String text : generators) {
      Generator generator = Generator.parse(text, factors);
      if ((generated & 1 << generator.factor()) != 0) {
        throw BadDataException.of("Factor %s has two generators.", text.split("=", 2)[0].trim());
      }
      generated |= 1 << generator.factor();
      negative |= (generator.minus() ? 1 : 0) << generator.factor();
      parsed.add(generator);
    }
    int[] columns = new int[factors.size()];
    int basics = 0;
    for (int f = 0; f < columns.length; f++) {
      columns[f] = (generated & 1 << f) == 0 ? 1 << basics++ : 0;
    }
    for (Generator generator : parsed) {
      if ((generator.word() & generated) != 0 || Integer.bitCount(generator.word()) < 2) {
        throw BadDataException.of(
            "Generator %s must be a product of two or more factors that have no generator"
                + " themselves.",
            generator.text());
      }
      columns[generator.factor()] =
          EffectAliases.factors(generator.word()).map(f -> columns[f]).reduce(0, (a, b) -> a ^ b);
    }
    return new TwoLevelDesign(factors, signs(basics, columns, negative));
  }

  /**
   * The runs of factors that are products of basic ones.
   *
   * @param columns the basic factors that each factor is the product of, as bits
   * @param negative the factors that are the negative product, as bits
   */
  private static int[][] signs(int basics, int[] columns, int negative) {
    int[][] signs = new int[1 << basics][columns.length];
    for (int run = 0; run < signs.length; run++) {
      for (int f = 0; f < columns.length; f++) {
        int low = Integer.bitCount(columns[f] & ~run) + (negative >> f & 1);
        signs[run][f] = low % 2 == 0 ? 1 : -1;
      }
    }
    return signs;
  }

  private record Generator(String text, int factor, int word, boolean minus) {
    static Generator parse(String text, List<Factor> factors) {
      String[] sides = text.split("=", 2);
      if (sides.length != 2) {
        throw BadDataException.of("Generator %s does not look like E=AB.", text);
      }
      String right = sides[1].trim().replace('−', '-');
      boolean minus = right.startsWith("-");
      int left = EffectAliases.parse(sides[0].trim(), factors);
      if (Integer.bitCount(left) != 1) {
        throw BadDataException.of("Generator %s must have one factor on its left.", text);
      }
      int word = EffectAliases.parse(minus ? right.substring(1).trim() : right, factors);
      return new Generator(text, Integer.numberOfTrailingZeros(left), word, minus);
    }
  }

  /** The catalogue speaks of A, B, C, whatever the factors' own names. */
  private static TwoLevelDesign lettered(List<Factor> factors, List<String> generators) {
    List<Factor> letters =
        IntStream.range(0, factors.size())
            .mapToObj(i -> Factor.of(EffectAliases.LETTERS.substring(i, i + 1), "-", "+"))
            .toList();
    return new TwoLevelDesign(factors, fromGenerators(letters, generators).signs());
  }

  /**
   * The design of minimum aberration with this many runs, in which the named interactions of two
   * factors are mixed with no main effect and no other interaction of two. Without named
   * interactions it is the design of the published catalogue, which goes to 11 factors, and of all
   * runs if they are as many as combinations of levels.
   *
   * @param runs a power of two
   * @param clear for example {@code BC}, or {@code awareness*mode}; empty for none
   * @throws BadDataException if no design of this size keeps them clear
   */
  public static TwoLevelDesign fraction(List<Factor> factors, int runs, List<String> clear) {
    checked(factors);
    List<Integer> words = clear.stream().map(text -> EffectAliases.parse(text, factors)).toList();
    for (int word : words) {
      if (Integer.bitCount(word) != 2) {
        throw BadDataException.of(
            "%s is no interaction of two factors; name two, as in BC.",
            EffectAliases.letters(word));
      }
    }
    if (runs < 2 || Integer.bitCount(runs) != 1) {
      throw BadDataException.of("The number of runs must be a power of two but is %d.", runs);
    }
    int basics = Integer.numberOfTrailingZeros(runs);
    if (basics > factors.size()) {
      throw BadDataException.of(
          "%d factors of two levels have %d combinations, fewer than %d runs; take %d runs, in more"
              + " blocks.",
          factors.size(), 1 << factors.size(), runs, 1 << factors.size());
    }
    if (basics == factors.size()) {
      return full(factors);
    }
    String size = factors.size() + "-" + (factors.size() - basics);
    return Optional.ofNullable(CATALOGUE.get(size))
        .filter(generators -> words.isEmpty())
        .map(generators -> lettered(factors, generators))
        .or(() -> new ClearSearch(factors, basics, words).best())
        .orElseThrow(() -> tooSmall(factors, runs, clear));
  }

  private static BadDataException tooSmall(List<Factor> factors, int runs, List<String> clear) {
    return clear.isEmpty()
        ? BadDataException.of(
            "No design of %d runs for %d factors keeps main effects apart; take %d runs or give"
                + " generators.",
            runs, factors.size(), 2 * runs)
        : BadDataException.of(
            "No design of %d runs keeps %s clear; take %d runs.",
            runs, String.join(", ", clear), 2 * runs);
  }

  static void checked(List<Factor> factors) {
    if (factors.isEmpty() || factors.size() > MAX_FACTORS) {
      throw BadDataException.of(
          "A two-level design takes 1 to %d factors, not %d.", MAX_FACTORS, factors.size());
    }
    for (Factor factor : factors) {
      if (factor.levels().size() != 2) {
        throw BadDataException.of(
            "Factor %s has %d levels where a two-level design takes two; choose its extremes.",
            factor.name(), factor.levels().size());
      }
    }
    if (factors.stream().map(Factor::name).distinct().count() < factors.size()) {
      throw new BadDataException("Two factors have the same name; rename one.");
    }
  }

  /**
   * Searches for the fraction of least aberration that keeps given interactions clear. Every factor
   * gets a column: the next basic one, or a product of basic ones, all different. A partial
   * assignment that already mixes a wanted interaction is cut off. The search is whole for small
   * designs (16 runs of 7 factors); beyond, it ends after a fixed amount of work with the best
   * found, long products having been tried first.
   */
  static final class ClearSearch {
    private static final int MOST_STEPS = 20_000_000;

    private final List<Factor> factors;
    private final int basics;
    private final List<Integer> wanted;
    private final int[] order;
    private final int[] columns;
    private final int[][] products;
    private int steps;
    private int[] best = new int[0];
    private int[] bestLengths = new int[0];

    ClearSearch(List<Factor> factors, int basics, List<Integer> wanted) {
      this.factors = factors;
      this.basics = basics;
      this.wanted = wanted;
      this.columns = new int[factors.size()];
      int named = wanted.stream().reduce(0, (a, b) -> a | b);
      this.order =
          IntStream.range(0, factors.size())
              .boxed()
              .sorted(Comparator.comparing(f -> (named & 1 << f) == 0))
              .mapToInt(f -> f)
              .toArray();
      this.products = new int[basics + 1][];
      for (int b = 0; b <= basics; b++) {
        products[b] =
            IntStream.range(1, 1 << b)
                .filter(column -> Integer.bitCount(column) >= 2)
                .boxed()
                .sorted(Comparator.comparingInt(column -> -Integer.bitCount(column)))
                .mapToInt(column -> column)
                .toArray();
      }
    }

    Optional<TwoLevelDesign> best() {
      assign(0, 0);
      return best.length == 0
          ? Optional.empty()
          : Optional.of(new TwoLevelDesign(factors, signs(basics, best, 0)));
    }

    private void assign(int position, int basicsUsed) {
      if (steps++ > MOST_STEPS || !clear(position)) {
        return;
      }
      if (position == order.length) {
        keepIfBetter();
        return;
      }
      int factor = order[position];
      if (basicsUsed < basics) {
        columns[factor] = 1 << basicsUsed;
        assign(position + 1, basicsUsed + 1);
      }
      if (order.length - position > basics - basicsUsed) {
        for (int product : products[basicsUsed]) {
          if (IntStream.range(0, position).noneMatch(i -> columns[order[i]] == product)) {
            columns[factor] = product;
            assign(position + 1, basicsUsed);
          }
        }
      }
      columns[factor] = 0;
    }

    /** True where the wanted interactions among the first factors are mixed with nothing yet. */
    private boolean clear(int position) {
      for (int word : wanted) {
        int[] pair = EffectAliases.factors(word).toArray();
        int a = columns[pair[0]];
        int b = columns[pair[1]];
        if (a != 0 && b != 0 && mixed(a ^ b, word, position)) {
          return false;
        }
      }
      return true;
    }

    private boolean mixed(int column, int word, int position) {
      for (int i = 0; i < position; i++) {
        if (columns[order[i]] == column) {
          return true;
        }
        for (int j = 0; j < i; j++) {
          boolean itself = (1 << order[i] | 1 << order[j]) == word;
          if (!itself && (columns[order[i]] ^ columns[order[j]]) == column) {
            return true;
          }
        }
      }
      return false;
    }

    private void keepIfBetter() {
      steps += 1 << factors.size() >> 4;
      int[] lengths = wordLengths();
      if (best.length == 0 || Arrays.compare(lengths, bestLengths) < 0) {
        best = columns.clone();
        bestLengths = lengths;
      }
    }

    private int[] wordLengths() {
      int[] counts = new int[factors.size() + 1];
      int column = 0;
      int word = 0;
      // Gray code: each step adds or removes one factor, so all products come at one xor each.
      for (int i = 1; i < 1 << factors.size(); i++) {
        int changed = Integer.numberOfTrailingZeros(i);
        word ^= 1 << changed;
        column ^= columns[changed];
        if (column == 0) {
          counts[Integer.bitCount(word)]++;
        }
      }
      return counts;
    }
  }
}
