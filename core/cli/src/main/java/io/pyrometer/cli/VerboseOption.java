package io.pyrometer.cli;

import picocli.CommandLine.Option;

/** The option for all that a report holds. */
final class VerboseOption {
  @Option(names = "--verbose")
  boolean given;
}
