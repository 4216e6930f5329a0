package io.pyrometer.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Changes to an experiment that every command which measures accepts. */
class OverrideOptions {
  @Option(names = "--blocks", paramLabel = "N")
  Optional<Integer> blocks = Optional.empty();

  @Option(names = "--seed", paramLabel = "N")
  Optional<Long> seed = Optional.empty();

  @Option(names = "--set", paramLabel = "NAME=VALUE,…")
  List<String> set = new ArrayList<>();
}
