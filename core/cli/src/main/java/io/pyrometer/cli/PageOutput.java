package io.pyrometer.cli;

import io.pyrometer.journal.RunException;
import io.pyrometer.report.BriefText;
import io.pyrometer.report.HtmlReport;
import io.pyrometer.report.Page;
import io.pyrometer.report.PageData;
import io.pyrometer.report.TerminalPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** Pages in the terminal and in files. */
final class PageOutput {
  private PageOutput() {}

  /** Prints a page as JSON or in words, in its brief form if there is one; writes it as HTML. */
  static void show(JsonCommand command, Page page, Optional<BriefText> brief, Path html) {
    write(html, file -> HtmlReport.write(page, file));
    print(command, page, brief);
    if (!command.json) {
      named(command.people(), html);
    }
  }

  /** Prints a page and writes nothing. */
  static void print(JsonCommand command, Page page, Optional<BriefText> brief) {
    PrintWriter out = command.people();
    if (command.json) {
      command.print(PageData.of(page));
    } else if (brief.isPresent()) {
      out.print(brief.get().render(Console.columns(), Console.rules()));
    } else {
      out.println(TerminalPage.render(page, Console.columns(), Console.rules()));
    }
  }

  /** Says where a report is, if there is one. */
  static void named(PrintWriter out, Path html) {
    if (Files.exists(html)) {
      out.println("Report: " + html.toAbsolutePath().normalize());
    }
  }

  /** Writes a file. */
  interface Writing {
    void to(Path file) throws IOException;
  }

  /**
   * Makes the folder of the file and writes it.
   *
   * @throws RunException if it cannot be written
   */
  static void write(Path file, Writing writing) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      writing.to(file);
    } catch (IOException | UncheckedIOException failure) {
      throw RunException.of("%s cannot be written; name another file.", file, failure);
    }
  }

  /** The command as typed, to be copied into a shell. */
  static String typed(CommandLine line) {
    return arguments(line).stream()
        .map(argument -> argument.matches("[\\w./,=:@%+-]+") ? argument : "'" + argument + "'")
        .collect(Collectors.joining(" ", Home.command() + " ", ""));
  }

  /** The command's name and what follows it: picocli counts the name among them or not. */
  static List<String> arguments(CommandLine line) {
    List<String> arguments = new ArrayList<>(line.getParseResult().originalArgs());
    arguments.removeIf(String::isBlank);
    String name = line.getCommandName();
    if (arguments.isEmpty() || !arguments.get(0).equals(name)) {
      arguments.add(0, name);
    }
    return arguments;
  }
}
