package io.pyrometer.worker.recorders;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.JvmBeans;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.management.JMException;

/**
 * The JVM's unified log of garbage collections and safepoints. It is switched on at the start and
 * off at the stop, as {@code jcmd PID VM.log} does it, so that it holds the measured part alone and
 * other logs that the user asked for go on.
 */
public final class GcRecorder implements Recorder {
  private Path file = Path.of("gc.log");

  @Override
  public String device() {
    return "gc";
  }

  @Override
  public Map<String, String> prepare(Setup setup) {
    file = setup.folder().resolve("gc.log");
    try {
      Files.deleteIfExists(file);
      if (log("list").isEmpty()) {
        throw new GridException(Messages.format("worker.no-log-outputs"));
      }
    } catch (JMException | IOException failure) {
      throw GridException.of(Messages.format("worker.no-gc-log"), failure, failure);
    }
    return Map.of(
        "collectors",
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(bean -> bean.getName())
            .collect(Collectors.joining(", ")));
  }

  @Override
  public void start() {
    switchTo(
        "gc*,safepoint",
        "decorators=uptime,timemillis,level,tags",
        "output_options=\"filecount=0\"");
  }

  @Override
  public Result stop() {
    switchTo("all=off");
    return new Result(List.of(), List.of(file));
  }

  private void switchTo(String what, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("output=\"file=" + file + "\"", "what=\"" + what + "\""));
    arguments.addAll(List.of(more));
    try {
      String trouble = log(arguments.toArray(String[]::new));
      if (!trouble.isBlank()) {
        throw new GridException("The JVM's log of collections: " + trouble.strip());
      }
    } catch (JMException | IOException failure) {
      throw new GridException("The JVM's log of collections: " + failure + ".", failure);
    }
  }

  private static String log(String... arguments) throws JMException, IOException {
    return JvmBeans.OWN.command("vmLog", arguments);
  }
}
