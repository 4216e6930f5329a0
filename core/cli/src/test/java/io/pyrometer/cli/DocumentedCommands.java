package io.pyrometer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Commands and experiment files of a page of the documentation. */
final class DocumentedCommands {
  static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  private static final Pattern BLOCK_OR_SPAN =
      Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```|`([^`\\n]+)`");
  private static final Pattern COMMAND = Pattern.compile("(?m)^(?:\\./)?pyrometer ([^\\n]+)$");
  private static final Pattern NAME = Pattern.compile("(?m)^name: (\\S+)$");

  private DocumentedCommands() {}

  /** The pages whose commands are executed. */
  static Stream<String> pages() {
    return Stream.of(
        "README.md",
        "CONTRIBUTING.md",
        "docs/tutorial.md",
        "docs/experiments.md",
        "docs/reports.md",
        "docs/comparing.md",
        "docs/capacity.md",
        "docs/ignite.md",
        "docs/products.md",
        "docs/methods.md");
  }

  /**
   * Commands of Pyrometer in the order of the page, without the program's name and without
   * comments: those of shell blocks, and those that are code within a sentence.
   */
  static List<String> of(String page) throws IOException {
    List<String> commands = new ArrayList<>();
    for (MatchResult part : parts(page)) {
      String code = part.group(3) == null ? shell(part) : part.group(3);
      COMMAND
          .matcher(code.replaceAll("\\\\\\n\\s*", ""))
          .results()
          .map(command -> command.group(1).replaceFirst("\\s+#.*", "").strip())
          .forEach(commands::add);
    }
    return commands;
  }

  /** Complete experiment files of the page by the name that its commands use. */
  static Map<String, String> experiments(String page) throws IOException {
    Map<String, String> experiments = new LinkedHashMap<>();
    for (MatchResult part : parts(page)) {
      if ("yaml".equals(part.group(1)) && part.group(2).startsWith("pyrometer: 1")) {
        NAME.matcher(part.group(2))
            .results()
            .forEach(name -> experiments.put(name.group(1) + ".yaml", part.group(2)));
      }
    }
    return experiments;
  }

  private static List<MatchResult> parts(String page) throws IOException {
    String text = Files.readString(ROOT.resolve(page));
    return BLOCK_OR_SPAN.matcher(text).results().toList();
  }

  private static String shell(MatchResult block) {
    return block.group(1).isEmpty() || block.group(1).equals("sh") ? block.group(2) : "";
  }
}
