package io.pyrometer.driver.ignite.node;

import io.pyrometer.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A JSON file of this package. */
final class Resource {
  private Resource() {}

  static <T> T read(String name, Class<T> type) {
    try (InputStream file = Resource.class.getResourceAsStream(name)) {
      return Json.LINES.readValue(Objects.requireNonNull(file), type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
