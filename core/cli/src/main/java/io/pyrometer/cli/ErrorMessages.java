package io.pyrometer.cli;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.journal.RunException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Reports errors to users in sentences, and shows a stack trace only on request. The exit code is
 * the command's own for invalid input: 2, unless it says otherwise.
 */
final class ErrorMessages implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final String TRACE = "PYROMETER_TRACE";

  @Override
  public int handleExecutionException(Exception failure, CommandLine line, ParseResult result) {
    PrintWriter err = line.getErr();
    if (System.getenv(TRACE) != null) {
      failure.printStackTrace(err);
    }
    if (failure instanceof ExperimentException
        || failure instanceof RunException
        || failure instanceof WorkerException
        || failure instanceof BadDataException) {
      err.println(Home.asStarted(String.valueOf(failure.getMessage())));
    } else {
      err.println(
          "This is a bug in Pyrometer (%s: %s); set %s=1 to see the stack trace, and report it."
              .formatted(failure.getClass().getSimpleName(), failure.getMessage(), TRACE));
    }
    return line.getCommandSpec().exitCodeOnInvalidInput();
  }

  @Override
  public int handleParseException(ParameterException failure, String[] arguments) {
    PrintWriter err = failure.getCommandLine().getErr();
    err.println(failure.getMessage());
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, err)) {
      err.println(
          "See '%s --help'.".formatted(failure.getCommandLine().getCommandSpec().qualifiedName()));
    }
    return failure.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
  }
}
