package io.pyrometer.worker;

import io.pyrometer.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a driver's description to a file, for the coordinator, which never loads the driver. */
public final class Describe {

  private Describe() {}

  /** Takes the driver's name and the file. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[1]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Json.PRETTY.writeValue(file.toFile(), Drivers.named(args[0]).describe());
  }
}
