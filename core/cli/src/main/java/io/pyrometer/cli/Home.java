package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.experiment.Catalogue;
import java.nio.file.Path;

/** The installation's paths, from system properties set by the start script. */
final class Home {
  private Home() {}

  static Distribution distribution() {
    return new Distribution(
        Path.of(System.getProperty("pyrometer.dist", "target/dist")).toAbsolutePath());
  }

  static Catalogue catalogue() {
    return Catalogue.load(distribution().root());
  }
}
