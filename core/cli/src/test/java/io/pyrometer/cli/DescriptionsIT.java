package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Json;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The committed descriptions, from which drivers are known before they are built, are those of the
 * drivers. {@code -Dpyrometer.describe=true} writes them anew.
 */
class DescriptionsIT {
  @TempDir Path folder;

  static Stream<DriverDescription> drivers() {
    return Home.distribution().drivers().stream();
  }

  @ParameterizedTest
  @MethodSource("drivers")
  void aCommittedDescriptionIsThatOfItsDriver(DriverDescription driver) throws Exception {
    Path described = folder.resolve("driver.json");
    describe(driver.name(), described);
    Path committed = Path.of("../../drivers").resolve(driver.name()).resolve("driver.json");
    if (Boolean.getBoolean("pyrometer.describe")) {
      Files.writeString(committed, Files.readString(described));
    }
    assertThat(Json.LINES.readTree(committed.toFile()))
        .as("regenerate it: ./mvnw verify -Dit.test=DescriptionsIT -Dpyrometer.describe=true")
        .isEqualTo(Json.LINES.readTree(described.toFile()));
  }

  /** With the classes of the driver alone, as its workers have them. */
  private static void describe(String driver, Path file) throws Exception {
    Path folder = Home.distribution().root().resolve("drivers").resolve(driver);
    List<URL> jars = new ArrayList<>();
    try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder, "*.jar")) {
      for (Path jar : inside) {
        jars.add(jar.toUri().toURL());
      }
    }
    Thread thread = Thread.currentThread();
    ClassLoader own = thread.getContextClassLoader();
    try (URLClassLoader classes =
        new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(classes);
      String[] arguments = {driver, file.toString()};
      classes
          .loadClass("io.pyrometer.worker.Describe")
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } finally {
      thread.setContextClassLoader(own);
    }
  }
}
