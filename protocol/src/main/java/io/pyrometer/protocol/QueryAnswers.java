package io.pyrometer.protocol;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the answers to queries compare with those of one database that holds all records.
 *
 * @param parameters how many sets of parameters each query was asked with
 * @param right queries whose rows were the same for each of them
 * @param wrong by query in what its rows first differed
 * @param unknown by query why that database could not tell
 */
public record QueryAnswers(
    int parameters, List<String> right, Map<String, String> wrong, Map<String, String> unknown) {
  public QueryAnswers {
    right = List.copyOf(right);
    wrong = new TreeMap<>(wrong);
    unknown = new TreeMap<>(unknown);
  }
}
