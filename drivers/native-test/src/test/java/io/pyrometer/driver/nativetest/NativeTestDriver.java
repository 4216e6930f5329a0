package io.pyrometer.driver.nativetest;

import static io.pyrometer.protocol.PathDescription.read;
import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.NativeProcess;
import io.pyrometer.driver.NativeServer;
import io.pyrometer.driver.ReadyCheck;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DeclaredSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.ServerDescription.MemoryNeed;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The driver {@code native-test}. */
public final class NativeTestDriver implements GridDriver {
  static final String PUT = "put";
  static final String GET = "get";
  private static final String MEMORY = "memory";
  private static final String WORK = "work";
  private static final String TAKE_PORT_ONCE = "take-port-once";
  private static final double LIMIT_SECONDS = 30;
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  @Override
  public DriverDescription describe() {
    return new DriverDescription(
        "native-test",
        "Key-value store for tests",
        "1",
        "Servers that are native processes, each with a part of the keys.",
        List.of("nodes"),
        new ServerDescription(
            true,
            List.of("clients"),
            LIMIT_SECONDS,
            LIMIT_SECONDS,
            List.of(new MemoryNeed(MEMORY, 1, 0, Optional.empty())),
            ServerDescription.USUAL_FAIL_OVER_SECONDS,
            Optional.empty()),
        List.of(),
        DeclaredSettings.beside(NativeTestDriver.class).list("settings"),
        List.of(
            write(PUT, Guarantee.OF_ONE, "One record a request.").asPlainest(),
            read(GET, "One record a request.").asPlainest()),
        List.of(),
        DataFactRules.NONE,
        List.of(),
        List.of());
  }

  @Override
  public Optional<String> unavailable() {
    return Files.isExecutable(JAVA)
        ? Optional.empty()
        : Optional.of("There is no " + JAVA + ": run Pyrometer on a whole JDK.");
  }

  @Override
  public ServerLauncher servers() {
    return NativeTestDriver::start;
  }

  private static RunningServer start(Command.StartServer spec) {
    if (spec.settings().has(TAKE_PORT_ONCE)) {
      takePortOnce(Path.of(spec.settings().text(TAKE_PORT_ONCE)), spec.ports().get(0));
    }
    String address = spec.peers().get(spec.index());
    long memory = spec.settings().has(MEMORY) ? spec.settings().number(MEMORY) : 64L << 20;
    long work = spec.settings().has(WORK) ? spec.settings().number(WORK) : 0;
    NativeProcess process =
        NativeProcess.start(
            new NativeProcess.Spec(
                "The key-value server " + spec.index(),
                List.of(
                    JAVA.toString(),
                    "-Xmx" + memory,
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    KeyValueServer.class.getName(),
                    Address.host(address),
                    String.valueOf(spec.ports().get(0)),
                    String.valueOf(work)),
                Map.of(),
                Path.of(spec.workFolder()),
                Duration.ofSeconds((long) LIMIT_SECONDS),
                Duration.ofSeconds(5)),
            ReadyCheck.prints(Pattern.compile("^Ready on port")));
    return new NativeServer(
        process, address, configuration(address), servers -> allAnswer(spec.peers()));
  }

  /** Used to test a reserved port that another program has taken. */
  private static void takePortOnce(Path file, int port) {
    try {
      Files.createFile(file);
      // Never closed, as if of another program.
      ServerSocket unused = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    } catch (IOException takenOnceAlready) {
      // The server finds its port free.
    }
  }

  private static Map<String, String> configuration(String address) {
    try (KeyValueClient client = new KeyValueClient(List.of(address))) {
      return Map.of("server.max-heap-bytes", String.valueOf(client.maxHeap()));
    }
  }

  private static boolean allAnswer(List<String> peers) {
    try {
      new KeyValueClient(peers).close();
      return true;
    } catch (GridException notYet) {
      return false;
    }
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return new Session(spec.clientAddresses());
  }

  private record Session(List<String> addresses) implements GridSession {
    @Override
    public Map<String, String> configuration() {
      return Map.of();
    }

    @Override
    public TrialSession open(TrialSpec trial, Records records, boolean creator) {
      KeyValueTrial opened = new KeyValueTrial(addresses, trial, records);
      if (creator) {
        opened.destroy();
      }
      return opened;
    }

    @Override
    public void close() {}
  }
}
