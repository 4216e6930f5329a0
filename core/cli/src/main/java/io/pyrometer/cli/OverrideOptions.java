package io.pyrometer.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Changes to an experiment that every command which measures accepts. */
class OverrideOptions {
  @Option(names = "--blocks", paramLabel = "N", description = "The number of blocks (replicates).")
  Optional<Integer> blocks = Optional.empty();

  @Option(names = "--seed", paramLabel = "N", description = "The seed of trial order and data.")
  Optional<Long> seed = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE,…",
      description = "Selects levels of a factor, or sets a setting; repeatable.")
  List<String> set = new ArrayList<>();
}
