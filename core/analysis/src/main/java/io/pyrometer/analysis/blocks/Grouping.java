package io.pyrometer.analysis.blocks;

import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Groups of observations, such as blocks or starts of processes.
 *
 * @param name for example {@code block}
 * @param group of each observation, from 0 without gaps
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, never compared
public record Grouping(String name, int[] group) {
  /** Copies the array. */
  public Grouping {
    group = group.clone();
  }

  /** A copy of the groups. */
  @Override
  public int[] group() {
    return group.clone();
  }

  /** Groups by equal labels, numbered in order of first appearance. */
  public static Grouping of(String name, List<?> labels) {
    Map<Object, Integer> index = new HashMap<>();
    int[] group = new int[labels.size()];
    for (int i = 0; i < group.length; i++) {
      group[i] = index.computeIfAbsent(labels.get(i), label -> index.size());
    }
    return new Grouping(name, group);
  }

  /** The number of groups. */
  public int groups() {
    return 1 + IntStream.of(group).max().orElse(-1);
  }

  /** The observations of each group. */
  List<int[]> members() {
    return IntStream.range(0, group.length)
        .boxed()
        .collect(Collectors.groupingBy(i -> group[i], TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(own -> own.stream().mapToInt(i -> i).toArray())
        .toList();
  }

  /** The observations that share groups of this or of another grouping, directly or by others. */
  public Grouping parts(Grouping other) {
    int[] ofOther = new int[other.groups()];
    Arrays.fill(ofOther, Integer.MAX_VALUE);
    int[] ofOwn = IntStream.range(0, groups()).toArray();
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int i = 0; i < group.length; i++) {
        int least = Math.min(ofOwn[group[i]], ofOther[other.group[i]]);
        changed |= least < ofOwn[group[i]] || least < ofOther[other.group[i]];
        ofOwn[group[i]] = least;
        ofOther[other.group[i]] = least;
      }
    }
    return of("part", IntStream.of(group).mapToObj(g -> ofOwn[g]).toList());
  }

  /** The mean of each group. */
  public double[] means(double[] values) {
    double[] sums = new double[groups()];
    int[] counts = new int[sums.length];
    for (int i = 0; i < group.length; i++) {
      sums[group[i]] += values[i];
      counts[group[i]]++;
    }
    Arrays.setAll(sums, g -> sums[g] / counts[g]);
    return sums;
  }

  /** The mean of each column over the observations of each group. */
  public double[][] means(double[][] x) {
    return overColumns(x, this::means);
  }

  /** The distances of every column from the means of its groups, around the column's own mean. */
  public double[][] swept(double[][] x) {
    return overColumns(x, this::swept);
  }

  double[] swept(double[] values) {
    double[] means = means(values);
    double mean = Samples.mean(values);
    return IntStream.range(0, values.length)
        .mapToDouble(i -> values[i] - means[group[i]] + mean)
        .toArray();
  }

  private static double[][] overColumns(double[][] x, UnaryOperator<double[]> of) {
    double[][] columns =
        IntStream.range(0, x[0].length)
            .mapToObj(c -> of.apply(Arrays.stream(x).mapToDouble(row -> row[c]).toArray()))
            .toArray(double[][]::new);
    return IntStream.range(0, columns[0].length)
        .mapToObj(i -> Arrays.stream(columns).mapToDouble(column -> column[i]).toArray())
        .toArray(double[][]::new);
  }
}
