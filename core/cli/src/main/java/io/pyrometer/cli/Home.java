package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.experiment.yaml.Catalogue;
import java.nio.file.Path;
import java.util.regex.Matcher;

/** The installation's paths, from system properties set by the start script. */
final class Home {
  private Home() {}

  static Distribution distribution() {
    return new Distribution(
        Path.of(System.getProperty("pyrometer.dist", "target/dist")).toAbsolutePath());
  }

  /** The command as the user started it, for messages to be copied into a shell. */
  static String command() {
    return System.getProperty("pyrometer.command", "./pyrometer");
  }

  /** A text that names commands as {@code pyrometer run}, with the command as it was started. */
  static String asStarted(String text) {
    return text.replaceAll(
        "(?<=^|['\\s])pyrometer (?=[a-z])", Matcher.quoteReplacement(command() + " "));
  }

  static Catalogue catalogue() {
    return Catalogue.load(distribution().root());
  }
}
