package io.pyrometer.driver.ignite.settings;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.protocol.DriverDescription.Tunable;
import io.pyrometer.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The options of Ignite that {@code tune} varies by itself, the most important first. */
public final class TunableOptions {
  public static final List<Tunable> ALL = read();

  private TunableOptions() {}

  private static List<Tunable> read() {
    try (InputStream file = TunableOptions.class.getResourceAsStream("tunable.json")) {
      return Json.LINES.readValue(Objects.requireNonNull(file), new TypeReference<>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
