package io.pyrometer.driver.nativetest;

import io.pyrometer.driver.Address;
import io.pyrometer.driver.Declarations;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.NativeProcess;
import io.pyrometer.driver.NativeServer;
import io.pyrometer.driver.ReadyCheck;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The driver {@code native-test}. */
public final class NativeTestDriver implements GridDriver {
  private static final Declarations DECLARED = Declarations.beside(NativeTestDriver.class, "1");
  private static final SettingKey<Long> MEMORY = DECLARED.bytes("memory");
  private static final SettingKey<Integer> WORK = DECLARED.integer("work");
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(List.of());
  }

  @Override
  public Optional<String> unavailable() {
    return Files.isExecutable(JAVA)
        ? Optional.empty()
        : Optional.of("There is no " + JAVA + ": run Pyrometer on a whole JDK.");
  }

  @Override
  public RunningServer start(Command.StartServer spec) {
    Settings settings = describe().complete(spec.settings());
    String address = spec.peers().get(spec.index());
    NativeProcess process =
        NativeProcess.start(
            new NativeProcess.Spec(
                "The key-value server " + spec.index(),
                List.of(
                    JAVA.toString(),
                    "-Xmx" + settings.get(MEMORY),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    KeyValueServer.class.getName(),
                    Address.host(address),
                    String.valueOf(spec.ports().get(0)),
                    settings.get(WORK).toString()),
                Map.of(),
                Path.of(spec.workFolder()),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5)),
            ReadyCheck.prints(Pattern.compile("^Ready on port")));
    return new NativeServer(
        process, address, configuration(address), servers -> allAnswer(spec.peers()));
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
    return (trial, records, creator) -> {
      KeyValueTrial opened = new KeyValueTrial(spec.clientAddresses(), trial, records);
      if (creator) {
        opened.destroy();
      }
      return opened;
    };
  }
}
