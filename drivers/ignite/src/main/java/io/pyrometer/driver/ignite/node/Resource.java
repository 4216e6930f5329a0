package io.pyrometer.driver.ignite.node;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A JSON file beside a class. */
public final class Resource {
  private Resource() {}

  public static <T> T read(Class<?> beside, String name, TypeReference<T> type) {
    try (InputStream file = beside.getResourceAsStream(name)) {
      return Json.LINES.readValue(Objects.requireNonNull(file), type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
