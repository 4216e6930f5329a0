package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.JmxProcess;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.GcLog;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  private static final Duration OLD = Duration.ofMinutes(10);

  private final ServerWatch watch;
  private final List<String> named;
  private final Map<String, List<ThreadDump>> dumps = new LinkedHashMap<>();

  ServerJvms(ClientNode client) {
    watch = client.watch();
    named = client.named(GridSettings.GC_LOGS);
  }

  /** Takes a dump of each server that can be reached. */
  void dumpThreads(Stream<ClusterNode> nodes) {
    nodes.forEach(
        node ->
            threads(node)
                .ifPresent(
                    text ->
                        dumps
                            .computeIfAbsent(Observation.name(node), name -> new ArrayList<>())
                            .add(ThreadDump.parse(text))));
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
    try {
      Path text = Files.createTempFile("pyrometer-threads-", ".txt");
      try {
        Process asked =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                    "-J-Xmx32m",
                    "-J-XX:+UseSerialGC",
                    "-J-XX:TieredStopAtLevel=1",
                    String.valueOf(process.pid()),
                    "Thread.print")
                .redirectErrorStream(true)
                .redirectOutput(text.toFile())
                .start();
        boolean ended = asked.waitFor(5, TimeUnit.SECONDS);
        asked.destroyForcibly().waitFor();
        return ended && asked.exitValue() == 0
            ? Optional.of(Files.readString(text))
            : Optional.empty();
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
      try {
        logs.put(file, GcLog.read(Path.of(file)));
      } catch (IOException | UncheckedIOException unreadable) {
        throw GridException.of(
            "The GC log '%s' cannot be read: correct 'gc-logs'.", file, unreadable);
      }
    }
    for (ClusterNode node : named.isEmpty() ? nodes : List.<ClusterNode>of()) {
      Optional<Path> file =
          ServerWatch.processHere(node).flatMap(process -> log(node, process.pid()));
      if (file.isPresent()) {
        try {
          logs.put(Observation.name(node), GcLog.read(file.get()));
        } catch (IOException | UncheckedIOException unreadable) {
          // Nothing is told of its collections.
        }
      }
    }
    return logs;
  }

  /**
   * The newest file of the name that the server's flags give, unless nothing was written lately.
   */
  private static Optional<Path> log(ClusterNode node, long pid) {
    String flags = String.valueOf(node.<Object>attribute(IgniteNodeAttributes.ATTR_JVM_ARGS));
    Path folder = Path.of(String.valueOf(node.<Object>attribute("user.dir")));
    return Stream.of(flags.split("@@@", -1))
        .map(flag -> GC_LOG.matcher(flag.strip()))
        .filter(Matcher::matches)
        .map(flag -> folder.resolve(flag.group(1).replace("%p", String.valueOf(pid))))
        .flatMap(ServerJvms::written)
        .filter(file -> file.lastModified() > System.currentTimeMillis() - OLD.toMillis())
        .max(Comparator.comparing(File::lastModified))
        .map(File::toPath);
  }

  /** The files of a name with placeholders of a process id, a time or a host's name. */
  private static Stream<File> written(Path pattern) {
    String name = "\\Q%s\\E".formatted(pattern.getFileName());
    String regex = name.replaceAll("%(?:p|t|hn)", "\\\\E.*\\\\Q");
    return Stream.ofNullable(pattern.resolveSibling(".").toFile().listFiles())
        .flatMap(Stream::of)
        .filter(file -> file.getName().matches(regex));
  }

  @Override
  public void close() {
    watch.close();
  }
}
