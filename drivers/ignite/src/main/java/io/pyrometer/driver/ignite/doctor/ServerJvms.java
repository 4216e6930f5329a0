package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.JmxProcess;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.GcLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.internal.IgniteNodeAttributes;

/**
 * JVMs of the servers, with what they tell besides Ignite: their threads, at the JMX port or, on
 * this machine, by {@code jcmd}; and their logs of garbage collections on this machine. Nothing in
 * them is changed.
 */
final class ServerJvms implements AutoCloseable {
  /** As {@code -Xlog:gc*,safepoint:file=gc-%p.log:time,uptime} or {@code -Xloggc:gc.log}. */
  private static final Pattern GC_LOG =
      Pattern.compile("-Xlog(?:gc:|:[^:]*\\b(?:gc|all)\\b[^:]*:(?:file=)?)\"?([^:\"]+)\"?(?::.*)?");

  private static final Pattern NO_FILE = Pattern.compile("stdout|stderr|");

  /** Placeholders of a process id, a time or a host's name in the name of a log file. */
  private static final Pattern PLACEHOLDERS = Pattern.compile("%(?:p|t|hn)");

  private static final Duration OLD = Duration.ofMinutes(10);
  private static final int JCMD_SECONDS = 5;

  private final ServerWatch watch;
  private final List<String> named;
  private final Map<String, List<ThreadDump>> dumps = new LinkedHashMap<>();

  ServerJvms(ClientNode client) {
    watch = client.watch();
    named = client.named(GridSettings.GC_LOGS);
  }

  /** Takes a dump of each server that can be reached. */
  void dumpThreads(List<ClusterNode> nodes) {
    for (ClusterNode node : nodes) {
      threads(node)
          .ifPresent(
              text ->
                  dumps
                      .computeIfAbsent(Observation.name(node), name -> new ArrayList<>())
                      .add(ThreadDump.parse(text)));
    }
  }

  Map<String, List<ThreadDump>> dumps() {
    return dumps;
  }

  private Optional<String> threads(ClusterNode node) {
    Optional<JmxProcess> jmx = watch.connection(node);
    try {
      return jmx.isPresent()
          ? Optional.of(jmx.get().threads())
          : ServerWatch.processHere(node).flatMap(ServerJvms::jcmd);
    } catch (GridException silent) {
      return Optional.empty();
    }
  }

  /** Empty where this JVM has no jcmd, or the process does not answer it. */
  private static Optional<String> jcmd(ProcessHandle process) {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    try {
      Path text = Files.createTempFile("pyrometer-threads-", ".txt");
      try {
        Process asked =
            new ProcessBuilder(
                    tool.toString(),
                    "-J-Xmx32m",
                    "-J-XX:+UseSerialGC",
                    "-J-XX:TieredStopAtLevel=1",
                    String.valueOf(process.pid()),
                    "Thread.print")
                .redirectErrorStream(true)
                .redirectOutput(text.toFile())
                .start();
        if (!asked.waitFor(JCMD_SECONDS, TimeUnit.SECONDS)) {
          asked.destroyForcibly().waitFor();
          return Optional.empty();
        }
        return asked.exitValue() == 0 ? Optional.of(Files.readString(text)) : Optional.empty();
      } finally {
        Files.delete(text);
      }
    } catch (IOException none) {
      return Optional.empty();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * The logs that the user names, or else those of the servers on this machine.
   *
   * @throws GridException if one that the user names cannot be read
   */
  Map<String, GcLog> logs(List<ClusterNode> nodes) {
    Map<String, GcLog> logs = new LinkedHashMap<>();
    for (String file : named) {
      logs.put(
          file,
          read(Path.of(file))
              .orElseThrow(
                  () ->
                      new GridException(
                          "The GC log '%s' cannot be read: correct 'gc-logs'.".formatted(file))));
    }
    if (named.isEmpty()) {
      for (ClusterNode node : nodes) {
        ServerWatch.processHere(node)
            .flatMap(process -> file(node, process.pid()))
            .flatMap(ServerJvms::read)
            .ifPresent(log -> logs.put(Observation.name(node), log));
      }
    }
    return logs;
  }

  private static Optional<GcLog> read(Path file) {
    try {
      return Optional.of(GcLog.read(file));
    } catch (IOException | UncheckedIOException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * The newest file of the name that the server's flags give, unless nothing was written lately.
   */
  private static Optional<Path> file(ClusterNode node, long pid) {
    String flags = String.valueOf(node.<Object>attribute(IgniteNodeAttributes.ATTR_JVM_ARGS));
    Path folder = Path.of(String.valueOf(node.<Object>attribute("user.dir")));
    return Stream.of(flags.split("@@@", -1))
        .map(flag -> GC_LOG.matcher(flag.strip()))
        .filter(Matcher::matches)
        .map(flag -> flag.group(1))
        .filter(name -> !NO_FILE.matcher(name).matches())
        .map(name -> folder.resolve(name.replace("%p", String.valueOf(pid))))
        .flatMap(ServerJvms::written)
        .filter(file -> Duration.between(modified(file), Instant.now()).compareTo(OLD) < 0)
        .max(Comparator.comparing(ServerJvms::modified));
  }

  private static Stream<Path> written(Path pattern) {
    String name = String.valueOf(pattern.getFileName());
    String regex =
        Stream.of(PLACEHOLDERS.split(name, -1))
            .map(Pattern::quote)
            .reduce((one, other) -> one + ".*" + other)
            .orElse("");
    try (Stream<Path> files = Files.list(pattern.toAbsolutePath().getParent())) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).matches(regex))
          .toList()
          .stream();
    } catch (IOException none) {
      return Stream.empty();
    }
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException gone) {
      return Instant.EPOCH;
    }
  }

  @Override
  public void close() {
    watch.close();
  }
}
