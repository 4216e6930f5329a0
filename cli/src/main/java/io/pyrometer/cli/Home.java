package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.Distribution;
import io.pyrometer.experiment.Catalogue;
import java.nio.file.Path;

/** Where things are, as the start script says by system properties. */
final class Home {
  private Home() {}

  static Distribution distribution() {
    return new Distribution(
        Path.of(System.getProperty("pyrometer.dist", "target/dist")).toAbsolutePath());
  }

  static Catalogue catalogue() {
    return Catalogue.of(distribution().drivers());
  }
}
