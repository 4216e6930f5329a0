package io.pyrometer.worker;

import io.pyrometer.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a driver's description to a file, for the coordinator, which never loads the driver; or
 * says what of the product is missing on this machine.
 */
public final class Describe {

  private Describe() {}

  /**
   * Takes the driver's name and the file; without a file, prints the sentence that says why servers
   * of the product cannot be started here, or nothing.
   */
  public static void main(String[] args) throws IOException {
    if (args.length == 1) {
      Drivers.named(args[0]).unavailable().ifPresent(System.out::print);
      return;
    }
    Path file = Path.of(args[1]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Json.PRETTY.writeValue(file.toFile(), Drivers.named(args[0]).describe());
  }
}
