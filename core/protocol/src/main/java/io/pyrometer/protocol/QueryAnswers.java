package io.pyrometer.protocol;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the answers to queries, or to reads, compare with what is known to be right.
 *
 * @param truth what they were compared with, in words
 * @param parameters how many sets of parameters each query was asked with
 * @param right queries whose rows were the same for each of them
 * @param wrong by query in what its rows first differed
 * @param unknown by query why it was not compared
 */
public record QueryAnswers(
    String truth,
    int parameters,
    List<String> right,
    Map<String, String> wrong,
    Map<String, String> unknown) {
  public QueryAnswers {
    right = List.copyOf(right);
    wrong = new TreeMap<>(wrong);
    unknown = new TreeMap<>(unknown);
  }
}
