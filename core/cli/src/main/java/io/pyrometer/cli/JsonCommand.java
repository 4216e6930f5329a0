package io.pyrometer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.protocol.Json;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that prints results for people or, with {@code --json}, for programs. */
abstract class JsonCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(names = "--json")
  boolean json;

  CommandLine line() {
    return spec.commandLine();
  }

  /** Where sentences are printed: standard error if standard output is for JSON. */
  PrintWriter people() {
    return json ? line().getErr() : line().getOut();
  }

  /** Prints the result, if it is asked for as JSON. */
  void print(Object result) {
    if (json) {
      try {
        line().getOut().println(Json.PRETTY.writeValueAsString(result));
      } catch (JsonProcessingException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
