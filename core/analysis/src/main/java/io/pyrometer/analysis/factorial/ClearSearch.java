package io.pyrometer.analysis.factorial;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Searches for the fraction of least aberration that keeps given interactions clear. Every factor
 * gets a column: the next basic one, or a product of basic ones, all different. A partial
 * assignment that already mixes a wanted interaction is cut off. The search is whole for small
 * designs (16 runs of 7 factors); beyond, it ends after a fixed amount of work with the best found,
 * long products having been tried first.
 */
final class ClearSearch {
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
    return best.length == 0 ? Optional.empty() : Optional.of(design());
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

  /** Whether the wanted interactions among the first factors are mixed with nothing yet. */
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

  private TwoLevelDesign design() {
    int[][] signs = new int[1 << basics][best.length];
    for (int run = 0; run < signs.length; run++) {
      for (int f = 0; f < best.length; f++) {
        int low = Integer.bitCount(best[f] & ~run);
        signs[run][f] = low % 2 == 0 ? 1 : -1;
      }
    }
    return new TwoLevelDesign(factors, signs);
  }
}
