package io.pyrometer.experiment;

import java.util.List;

/**
 * An experiment at its full length, where the file is a shorter form of it.
 *
 * @param set what the full length changes, each {@code name=value,…} as on the command line
 * @param only what only the full length can say, each a sentence
 */
public record Full(List<String> set, List<String> only) {

  public static final Full NONE = new Full(List.of(), List.of());

  public Full {
    set = List.copyOf(set);
    only = List.copyOf(only);
  }
}
