package io.pyrometer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.protocol.Json;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** For commands that print results: the same as one JSON document, for programs. */
final class JsonOption {
  @Option(names = "--json")
  boolean json;

  /** Where sentences for people go. */
  PrintWriter people(CommandLine line) {
    return json ? line.getErr() : line.getOut();
  }

  /** Prints the result, if it is asked for as JSON. */
  void print(CommandLine line, Object result) {
    if (json) {
      line.getOut().println(text(result));
    }
  }

  static String text(Object result) {
    try {
      return Json.PRETTY.writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
