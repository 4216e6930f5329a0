package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.protocol.DriverDescription;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Program that a worker process runs.
 *
 * @param driver whose worker it is
 * @param jvm that runs it
 * @param productJars of another version of the product than the driver comes with, which replace
 *     the driver's of the same names; none for the driver's own version
 * @param classesBefore those that go before all others
 * @param libraries folder of the distribution whose jars come last in the class path
 */
public record Program(
    DriverDescription driver,
    Jvm jvm,
    List<Path> productJars,
    List<Path> classesBefore,
    Optional<String> libraries) {
  public Program {
    productJars = List.copyOf(productJars);
    classesBefore = List.copyOf(classesBefore);
  }

  /** The driver as it was built, on the JVM that runs Pyrometer. */
  public static Program of(DriverDescription driver) {
    return new Program(driver, Jvm.OWN, List.of(), List.of(), Optional.empty());
  }

  /** Returns whether archived classes of the driver fit it, were there some. */
  boolean asBuilt() {
    return jvm.own() && productJars.isEmpty() && libraries.isEmpty();
  }
}
