package io.pyrometer.coordinator.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a script in Maven's place, which makes jars in the folder that it is given. */
@Timeout(60)
class ProductVersionsTest {
  private static final DriverDescription PLAIN = FakeRun.driver("fake");
  private static final DriverDescription DRIVER =
      FakeRun.portless(
          "fake",
          List.of(),
          List.of(
              FakeRun.setting(
                  DriverDescription.PRODUCT_VERSION,
                  SettingDescription.Type.TEXT,
                  SettingDescription.Scope.PROCESS,
                  Optional.empty())));

  @TempDir Path folder;
  private Distribution distribution;
  private ProductVersions versions;

  @BeforeEach
  void prepare() throws IOException {
    distribution = new Distribution(folder.resolve("dist"));
    versions = new ProductVersions(distribution, folder.resolve("cache"));
    Files.createDirectories(folder.resolve("dist/maven"));
    Files.createDirectories(project().getParent());
    Files.writeString(project(), "<project/>");
  }

  @Test
  void theDriversOwnVersionNeedsNoMaven() {
    assertThat(versions.jars(DRIVER, Settings.NONE)).isEmpty();
    assertThat(versions.jars(DRIVER, asking(DRIVER.version()))).isEmpty();
    // The settings of a group are also those of the load generator that is measured alone.
    assertThat(versions.jars(PLAIN, asking("9.9"))).isEmpty();
  }

  @Test
  void anotherVersionIsFetchedOnceAndItsJarsReplaceTheDriversOfTheSameNames() throws IOException {
    maven(
        """
        for word in "$@"; do case $word in
          -Dproduct.version=*) version=${word#*=} ;;
          -DoutputDirectory=*) out=${word#*=} ;;
        esac; done
        mkdir -p "$out" && touch "$out/product-core-$version.jar" "$out/h2-1.4.197.jar"
        echo run >>"%s"
        """
            .formatted(folder.resolve("runs")));
    List<Path> jars = versions.jars(DRIVER, asking("2.14.0"));
    assertThat(jars)
        .extracting(jar -> jar.getFileName().toString())
        .containsExactly("h2-1.4.197.jar", "product-core-2.14.0.jar");
    assertThat(versions.jars(DRIVER, asking("2.14.0"))).isEqualTo(jars);
    assertThat(Files.readAllLines(folder.resolve("runs"))).hasSize(1);
    Files.writeString(project(), "<project>other libraries</project>");
    assertThat(versions.jars(DRIVER, asking("2.14.0"))).isNotEqualTo(jars);
    List<Path> own =
        Stream.of("product-core-2.17.0.jar", "product-core-extras-2.17.0.jar", "pyrometer-x.jar")
            .map(Path::of)
            .toList();
    assertThat(Distribution.without(own, jars))
        .containsExactly(Path.of("product-core-extras-2.17.0.jar"), Path.of("pyrometer-x.jar"));
  }

  @Test
  void aVersionThatMavenCannotResolveIsSaidInASentenceAndLeavesNothing() throws IOException {
    maven("echo '[ERROR] Could not find artifact product:9.9'; exit 1\n");
    assertThatThrownBy(() -> versions.jars(DRIVER, asking("9.9")))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("product:9.9.");
    assertThat(folder.resolve("cache")).isEmptyDirectory();
  }

  private Path project() {
    return folder.resolve("dist/drivers/" + DRIVER.name() + "/versions/pom.xml");
  }

  private static Settings asking(String version) {
    return new Settings(Map.of(DriverDescription.PRODUCT_VERSION, version));
  }

  private void maven(String script) throws IOException {
    Files.writeString(folder.resolve("dist/maven/mvnw"), script);
  }

  private static Process start(String... command) throws Exception {
    return new ProcessBuilder(ProductVersions.bound(List.of(command))).start();
  }

  @Test
  void theOutputAndExitCodeOfABoundCommandAreItsOwn() throws Exception {
    Process process = start("sh", "-c", "echo \"$0\"; exit 3", "two words");
    assertThat(new String(process.getInputStream().readAllBytes())).isEqualTo("two words\n");
    assertThat(process.waitFor()).isEqualTo(3);
    process.getOutputStream().close();
  }

  /** Closing the input is all that the kernel does when it kills the JVM that started it. */
  @Test
  void aBoundCommandIsKilledWhenTheInputEnds() throws Exception {
    Process process = start("sh", "-c", "echo $$; exec sleep 600");
    long pid = Long.parseLong(process.inputReader().readLine());
    ProcessHandle command = ProcessHandle.of(pid).orElseThrow();
    process.getOutputStream().close();
    command.onExit().join();
    assertThat(process.waitFor()).isEqualTo(137);
  }
}
