package io.pyrometer.analysis.blocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    int most = -1;
    for (int each : group) {
      most = Math.max(most, each);
    }
    return most + 1;
  }

  /** The observations of each group. */
  List<int[]> members() {
    List<List<Integer>> members = new ArrayList<>();
    for (int i = 0; i < group.length; i++) {
      while (members.size() <= group[i]) {
        members.add(new ArrayList<>());
      }
      members.get(group[i]).add(i);
    }
    return members.stream().map(own -> own.stream().mapToInt(i -> i).toArray()).toList();
  }

  /** The mean of each column over the observations of each group. */
  public double[][] means(double[][] x) {
    double[][] means = new double[groups()][x[0].length];
    List<int[]> members = members();
    for (int g = 0; g < means.length; g++) {
      for (int i : members.get(g)) {
        for (int c = 0; c < means[g].length; c++) {
          means[g][c] += x[i][c] / members.get(g).length;
        }
      }
    }
    return means;
  }

  /** The distances of every column from the means of its groups, around the column's own mean. */
  public double[][] swept(double[][] x) {
    double[][] means = means(x);
    double[] mean = new double[x[0].length];
    for (double[] row : x) {
      for (int c = 0; c < mean.length; c++) {
        mean[c] += row[c] / x.length;
      }
    }
    double[][] swept = new double[x.length][mean.length];
    for (int i = 0; i < x.length; i++) {
      for (int c = 0; c < mean.length; c++) {
        swept[i][c] = x[i][c] - means[group[i]][c] + mean[c];
      }
    }
    return swept;
  }
}
