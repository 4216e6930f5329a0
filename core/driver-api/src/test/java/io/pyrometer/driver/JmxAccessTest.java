package io.pyrometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JVMs whose JMX ports ask for a user and a password, or use TLS. */
class JmxAccessTest {
  private static final String STORE_PASSWORD = "changeit";

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();
  private int port;

  /** Ends with the process that started it, whose end closes its input. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws IOException {
      System.out.println("up");
      while (System.in.read() >= 0) {
        // Nothing is told.
      }
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private static String program(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /** Starts a JVM with a JMX port and waits until the port is open. */
  private Process serve(String... flags) throws IOException {
    port = Ports.free("127.0.0.1");
    String jmx = "-Dcom.sun.management.jmxremote.";
    List<String> command = new ArrayList<>(List.of(program("java"), jmx + "port=" + port));
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of(jmx + "host=127.0.0.1", "-Djava.rmi.server.hostname=127.0.0.1"));
    for (String flag : flags) {
      command.add(flag.startsWith("-") ? flag : jmx + flag);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Server.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    started.add(process);
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    assertThat(out.readLine()).isEqualTo("up");
    return process;
  }

  /**
   * @param clients whose certificates it asks for
   */
  private Process serveWithTls(Path store, boolean registryToo, Optional<Path> clients)
      throws IOException {
    return serve(
        "authenticate=false",
        "ssl=true",
        "registry.ssl=" + registryToo,
        "ssl.need.client.auth=" + clients.isPresent(),
        "-Djavax.net.ssl.keyStore=" + store,
        "-Djavax.net.ssl.keyStorePassword=" + STORE_PASSWORD,
        "-Djavax.net.ssl.trustStore=" + clients.orElse(store),
        "-Djavax.net.ssl.trustStorePassword=" + STORE_PASSWORD);
  }

  private Path store(String name) throws Exception {
    Path store = folder.resolve(name);
    Process keytool =
        new ProcessBuilder(
                program("keytool"),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=server",
                "-keystore",
                store.toString(),
                "-storepass",
                STORE_PASSWORD)
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    return store;
  }

  private JmxAccess access(String properties) throws IOException {
    return JmxAccess.read(
        Files.writeString(folder.resolve("jmx.properties"), properties).toString());
  }

  private String refusal(JmxAccess access) {
    try (JmxProcess process = JmxProcess.connect("127.0.0.1:" + port, access)) {
      return "none of process " + process.pid();
    } catch (GridException refused) {
      return String.valueOf(refused.getMessage()).replace(String.valueOf(port), "PORT");
    }
  }

  @Test
  void theRightUserAndPasswordReadTheServerAndOthersAreOneSentence() throws Exception {
    Path passwords = Files.writeString(folder.resolve("passwords"), "watcher secret\n");
    Files.setPosixFilePermissions(passwords, PosixFilePermissions.fromString("rw-------"));
    Path rights = Files.writeString(folder.resolve("rights"), "watcher readonly\n");
    Process server = serve("ssl=false", "password.file=" + passwords, "access.file=" + rights);
    try (JmxProcess process =
        JmxProcess.connect("127.0.0.1:" + port, access("user: watcher\npassword: secret\n"))) {
      assertThat(process.pid()).isEqualTo(server.pid());
      assertThat(process.usage(1).cpuSeconds()).isPositive();
    }
    String sentence = refusal(access("user: watcher\npassword: wrong\n"));
    assertThat(sentence).contains("127.0.0.1:PORT", "'jmx-access'").endsWith(".");
    assertThat(refusal(JmxAccess.NONE)).isEqualTo(sentence);
  }

  /** In one test, because a JVM chooses once whom such stubs trust. */
  @Test
  void aCertificateThatTheOtherTrustsIsAcceptedAndAnotherIsOneSentence() throws Exception {
    Path store = store("ours.p12");
    Path client = store("client.p12");
    JmxAccess access =
        access(
            """
            trust-store: ours.p12
            trust-store-password: %1$s
            key-store: client.p12
            key-store-password: %1$s
            """
                .formatted(STORE_PASSWORD));
    Path others = store("others.p12");
    for (boolean registryToo : new boolean[] {true, false}) {
      Optional<Path> clients = Optional.of(client).filter(asked -> registryToo);
      Process server = serveWithTls(store, registryToo, clients);
      try (JmxProcess process = JmxProcess.connect("127.0.0.1:" + port, access)) {
        assertThat(process.pid()).isEqualTo(server.pid());
      }
      serveWithTls(others, registryToo, Optional.empty());
      assertThat(refusal(access)).contains("127.0.0.1:PORT", "trust-store", "key-store");
    }
    serveWithTls(store, true, Optional.of(others));
    assertThat(refusal(access)).as("not trusted there").contains("127.0.0.1:PORT");
  }

  @Test
  void aFileThatCannotBeUsedIsOneSentence() throws Exception {
    Files.writeString(folder.resolve("broken.p12"), "no store");
    Map<String, String> wrong =
        Map.of(
            "user: watcher\n", "(user and password ",
            "users: watcher\n", "'users'",
            "trust-store: none.p12\n", "none.p12",
            "trust-store: broken.p12\n", "jmx.properties");
    wrong.forEach(
        (properties, named) ->
            assertThatThrownBy(() -> access(properties))
                .isInstanceOf(GridException.class)
                .hasMessageContaining(named)
                .hasMessageContaining("key-store-password"));
    assertThatThrownBy(() -> JmxAccess.read("/no/such/file"))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("/no/such/file");
  }
}
