package io.pyrometer.driver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * The file {@code declared.json} beside a driver's class: its {@link DriverDescription} without the
 * version, in a shorter form.
 *
 * <ul>
 *   <li>A setting lacks the traits that it does not have; the first of its choices is its default.
 *   <li>{@code pathSettings} are settings that only some paths understand; an {@code id} tells
 *       those of one name apart.
 *   <li>A path has the words of its guarantee, and its settings with defaults of its own or null;
 *       those of {@link PathSettings} are known by their names.
 *   <li>{@code summaries} are those of paths whose settings are a plugin's.
 * </ul>
 */
public final class Declarations {
  private static final String SETTINGS = "settings";
  private static final List<SettingKey<?>> SHARED =
      Stream.concat(
              Stream.of(
                  PathSettings.BATCH,
                  PathSettings.IN_FLIGHT,
                  PathSettings.MIX,
                  PathSettings.LISTENERS,
                  PathSettings.PARTITION_AWARENESS),
              PathSettings.OF_RELAY.stream())
          .toList();

  private final Map<String, ObjectNode> settings = new HashMap<>();
  private final JsonNode summaries;
  private final DriverDescription description;

  private Declarations(ObjectNode file) {
    SHARED.forEach(key -> settings.put(key.name(), Json.LINES.valueToTree(key.description())));
    file.path(SETTINGS).forEach(this::declare);
    file.path("pathSettings").forEach(this::declare);
    file.path("paths").forEach(path -> expand((ObjectNode) path));
    summaries = file.path("summaries");
    description = read(file, DriverDescription.class);
  }

  /**
   * Reads the file beside a class.
   *
   * @param version of the product
   */
  public static Declarations beside(Class<?> driver, String version) {
    try (InputStream file = driver.getResourceAsStream("declared.json")) {
      ObjectNode declared = (ObjectNode) Json.LINES.readTree(Objects.requireNonNull(file));
      return new Declarations(declared.put("version", version));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T read(JsonNode node, Class<T> type) {
    try {
      return Json.LINES.treeToValue(node, type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void declare(JsonNode declared) {
    ObjectNode setting = (ObjectNode) declared;
    if (setting.path("choices").has(0)) {
      setting.putIfAbsent("initial", setting.path("choices").get(0));
    }
    settings.put(setting.path("id").asText(setting.path("name").asText()), setting);
  }

  private void expand(ObjectNode path) {
    String name = path.path("name").asText();
    ArrayNode own = Json.LINES.createArrayNode();
    path.path(SETTINGS)
        .properties()
        .forEach(
            each -> {
              ObjectNode setting = setting(each.getKey()).deepCopy();
              if (!each.getValue().isNull()) {
                setting.set(each.getValue().isArray() ? "choices" : "initial", each.getValue());
              }
              own.add(setting);
            });
    path.set(SETTINGS, own);
    path.putIfAbsent("operations", Json.LINES.createArrayNode().add(name));
    if (path.has("guarantee")) {
      ObjectNode guarantee = Json.LINES.createObjectNode();
      Stream.of(path.path("guarantee").asText().split(" ", -1))
          .forEach(word -> guarantee.put(word, true));
      path.set("guarantee", guarantee);
    }
  }

  private ObjectNode setting(String id) {
    return Objects.requireNonNull(settings.get(id), id);
  }

  private <T> SettingKey<T> key(String id, BiFunction<Settings, String, T> reading) {
    return new SettingKey<>(read(setting(id), SettingDescription.class), reading);
  }

  /** The setting of this id whose value is a text, or one of its choices. */
  public SettingKey<String> text(String id) {
    return key(id, Settings::text);
  }

  public SettingKey<Boolean> flag(String id) {
    return key(id, Settings::flag);
  }

  public SettingKey<Integer> integer(String id) {
    return key(id, Settings::integer);
  }

  public SettingKey<Long> bytes(String id) {
    return key(id, Settings::number);
  }

  public SettingKey<Double> seconds(String id) {
    return key(id, Settings::decimal);
  }

  /** The path of this name. */
  public PathDescription path(String name) {
    return description.path(name).orElseThrow();
  }

  /** The summary of a plugin's path. */
  public String summary(String path) {
    return summaries.path(path).asText();
  }

  /** The driver with its own paths and with these of plugins. */
  public DriverDescription describe(List<List<PathDescription>> ofPlugins) {
    DriverDescription all = description;
    return new DriverDescription(
        all.name(),
        all.product(),
        all.version(),
        all.summary(),
        all.capabilities(),
        all.servers(),
        all.jvmFlags(),
        all.settings(),
        Stream.concat(all.paths().stream(), ofPlugins.stream().flatMap(List::stream)).toList(),
        all.equalTerms(),
        all.data(),
        all.frameCategories(),
        all.tunable());
  }
}
