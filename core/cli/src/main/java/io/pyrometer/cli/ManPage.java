package io.pyrometer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page, made from the same declarations as {@code --help}, in roff's man macros. */
public final class ManPage {
  private final List<String> lines = new ArrayList<>();

  private ManPage() {}

  /** Writes the page of the command and its subcommands to the file that is named. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, text());
  }

  static String text() {
    CommandLine line = new CommandLine(new Main());
    ManPage page = new ManPage();
    page.lines.add(
        ".TH PYROMETER 1 \"\" \"Pyrometer %s\"".formatted(Home.distribution().version()));
    page.section("NAME", "pyrometer \\- " + escaped(description(line.getCommandSpec())));
    page.section("SYNOPSIS", "\\fBpyrometer\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]");
    page.lines.add(".SH COMMANDS");
    for (Map.Entry<String, CommandLine> each : line.getSubcommands().entrySet()) {
      page.command(each.getKey(), each.getValue());
    }
    page.lines.add(".SH EXAMPLES AND EXIT CODES");
    page.literal(line.getCommandSpec().usageMessage().footer());
    return String.join("\n", page.lines) + "\n";
  }

  private void section(String title, String text) {
    lines.add(".SH " + title);
    lines.add(text);
  }

  private void command(String name, CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    lines.add(".SS pyrometer " + escaped(name));
    lines.add(escaped(description(spec)));
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      entry(parameter.paramLabel(), parameter.description());
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        String value = option.arity().max() > 0 ? " " + option.paramLabel() : "";
        entry(String.join(", ", option.names()) + value, option.description());
      }
    }
    literal(spec.usageMessage().footer());
  }

  private void entry(String term, String[] description) {
    lines.add(".TP");
    lines.add("\\fB" + escaped(term) + "\\fR");
    lines.add(escaped(String.join(" ", description).replace("%%", "%")));
  }

  private void literal(String[] text) {
    lines.add(".PP");
    lines.add(".nf");
    for (String each : text) {
      lines.add(escaped(String.format(Locale.ROOT, each)));
    }
    lines.add(".fi");
  }

  private static String description(CommandSpec spec) {
    return String.join(" ", spec.usageMessage().description()).replace("%%", "%");
  }

  /** A backslash and a hyphen are signs of roff; a dot or quote is one where a line begins. */
  private static String escaped(String text) {
    String plain = Help.Ansi.OFF.string(text).replace("\\", "\\e").replace("-", "\\-");
    return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
  }
}
