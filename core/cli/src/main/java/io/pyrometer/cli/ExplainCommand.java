package io.pyrometer.cli;

import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.message.Messages;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer explain}. */
@Command(name = "explain", mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  private static final String DOCTOR = "doctor.";
  private static final String SENTENCE = "sentence";

  private static final List<Key> KEYS =
      List.of(
          new Key(SENTENCE, ""),
          new Key("meaning", ".meaning"),
          new Key("cause", ".cause"),
          new Key("do", ".remedy"),
          new Key("gives up", ".loses"));

  /** The name of a text, and the end of its key in the message file. */
  private record Key(String part, String end) {}

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", arity = "0..1", paramLabel = "ID")
  Optional<String> id = Optional.empty();

  @Option(names = "--markdown")
  boolean markdown;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Messages messages = Messages.bundled();
    if (markdown) {
      out.print(page(messages));
    } else if (id.isEmpty()) {
      messages.ids().forEach(out::println);
    } else {
      for (String found : named(messages, id.get())) {
        out.println(found);
        parts(messages, found)
            .forEach((part, text) -> Console.paragraph(out, "   %-9s ".formatted(part), text));
      }
    }
    out.flush();
    return Main.OK;
  }

  /** The id and its variants. */
  private static List<String> named(Messages messages, String name) {
    List<String> found =
        messages.ids().stream()
            .filter(
                id ->
                    Stream.of(name, DOCTOR + name)
                        .anyMatch(each -> id.equals(each) || id.startsWith(each + ".")))
            .toList();
    if (found.isEmpty()) {
      throw RunException.of(
          "There is no finding '%s'%s; '%s explain' prints all ids.",
          name,
          SpellingSuggestion.to(name, messages.ids())
              .or(() -> SpellingSuggestion.to(DOCTOR + name, messages.ids()))
              .map(right -> " (did you mean '" + right + "'?)")
              .orElse(""),
          Home.command());
    }
    return found;
  }

  /** The page of all findings, {@code docs/findings.md}: the texts of each id. */
  static String page(Messages messages) {
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
              (part, text) -> {
                String line = text.replace("<", "&lt;");
                page.append(
                    part.equals(SENTENCE) ? line + "\n\n" : "- **" + part + "** " + line + "\n");
              });
    }
    return page.toString();
  }

  /** The texts of an id by the names of their parts, with the names of their values. */
  private static Map<String, String> parts(Messages messages, String id) {
    Map<String, String> parts = new LinkedHashMap<>();
    KEYS.forEach(
        key ->
            messages
                .template(id + key.end())
                .map(template -> template.replaceAll("\\{([^{}|]+)\\|[^{}]*}", "{$1}"))
                .ifPresent(text -> parts.put(key.part(), text)));
    return parts;
  }
}
