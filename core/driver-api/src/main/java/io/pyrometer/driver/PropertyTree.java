package io.pyrometer.driver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.protocol.Json;
import java.util.Map;

/** Options of a product with dots in their names, as the object that they spell out. */
public final class PropertyTree {
  private PropertyTree() {}

  /**
   * An object with an object for each part of a name but the last; numbers and flags are such.
   *
   * @throws GridException if an option is part of the name of another one
   */
  public static ObjectNode of(Map<String, String> properties) {
    ObjectNode root = Json.LINES.createObjectNode();
    properties.forEach(
        (name, value) -> {
          String[] parts = name.split("\\.", -1);
          ObjectNode holder = root;
          for (int i = 0; i < parts.length - 1; i++) {
            JsonNode inner = holder.path(parts[i]);
            if (inner.isMissingNode()) {
              holder = holder.putObject(parts[i]);
            } else if (inner instanceof ObjectNode object) {
              holder = object;
            } else {
              throw GridException.of("The option '%s' is below another one; remove one.", name);
            }
          }
          String last = parts[parts.length - 1];
          if (holder.has(last)) {
            throw GridException.of("Other options are below '%s'; remove one.", name);
          }
          holder.set(last, scalar(value));
        });
    return root;
  }

  private static JsonNode scalar(String text) {
    try {
      JsonNode node = Json.LINES.readTree(text);
      if (node.isNumber() || node.isBoolean()) {
        return node;
      }
    } catch (JsonProcessingException word) {
      // A text, as below.
    }
    return Json.LINES.getNodeFactory().textNode(text);
  }
}
