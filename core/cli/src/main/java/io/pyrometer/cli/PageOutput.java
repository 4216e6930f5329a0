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
import java.util.stream.Collectors;
import picocli.CommandLine;

/** Pages in the terminal and in files. */
final class PageOutput {
  private PageOutput() {}

  /** Prints a page, in words or as JSON, and writes it as HTML. */
  static void show(JsonCommand command, Page page, Path html) {
    write(html, file -> HtmlReport.write(page, file));
    if (command.json) {
      command.print(PageData.of(page));
    } else {
      PrintWriter out = command.people();
      out.println(TerminalPage.render(page, Console.columns(), Console.rules()));
      named(out, html);
    }
  }

  /** Prints the brief form of a page, or with {@code verbose} the page; otherwise the same. */
  static void show(JsonCommand command, Page page, BriefText brief, boolean verbose, Path html) {
    if (command.json || verbose) {
      show(command, page, html);
    } else {
      command.people().print(brief.render(Console.columns(), Console.rules()));
      write(html, file -> HtmlReport.write(page, file));
      named(command.people(), html);
    }
  }

  /** Says where a report is. */
  static void named(PrintWriter out, Path html) {
    out.println("Report: " + html.toAbsolutePath().normalize());
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
