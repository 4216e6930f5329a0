package io.pyrometer.cli;

import io.pyrometer.protocol.message.Messages;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The page of all findings, {@code docs/findings.md}: sentence, meaning, cause and remedy by id.
 */
final class FindingsPage {
  private static final String SENTENCE = "sentence";

  private FindingsPage() {}

  static String of(Messages messages) {
    StringBuilder page = new StringBuilder();
    page.append(messages.template("findings-page.phrase").orElse("# Findings")).append('\n');
    String category = "";
    for (String id : messages.ids()) {
      String own = id.substring(0, id.indexOf('.'));
      if (!own.equals(category)) {
        category = own;
        page.append("\n## ").append(category).append('\n');
      }
      page.append("\n### `").append(id).append("`\n\n");
      parts(messages, id)
          .forEach(
              (part, text) ->
                  page.append(part.equals(SENTENCE) ? "" : "- **" + part + "** ")
                      .append(text.replace("<", "&lt;"))
                      .append(part.equals(SENTENCE) ? "\n\n" : "\n"));
    }
    return page.toString();
  }

  /** The texts of an id by the names of their parts, with the names of their values. */
  static Map<String, String> parts(Messages messages, String id) {
    Map<String, String> parts = new LinkedHashMap<>();
    add(parts, SENTENCE, messages, id);
    add(parts, "meaning", messages, id + ".meaning");
    add(parts, "cause", messages, id + ".cause");
    add(parts, "do", messages, id + ".remedy");
    add(parts, "gives up", messages, id + ".loses");
    return parts;
  }

  private static void add(Map<String, String> parts, String part, Messages messages, String key) {
    messages
        .template(key)
        .map(template -> template.replaceAll("\\{([^{}|]+)\\|[^{}]*}", "{$1}"))
        .ifPresent(text -> parts.put(part, text));
  }
}
