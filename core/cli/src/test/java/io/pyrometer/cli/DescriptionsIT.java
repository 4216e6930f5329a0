package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    Path jars = Home.distribution().root().resolve("drivers").resolve(driver.name());
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-XX:+UseSerialGC"));
    command.addAll(driver.jvmFlags(Runtime.version().feature()));
    command.addAll(
        List.of(
            "-cp",
            jars + "/*",
            "io.pyrometer.worker.Describe",
            driver.name(),
            described.toString()));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log()).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log().toPath())).isZero();
    Path committed = Path.of("../../drivers").resolve(driver.name()).resolve("driver.json");
    if (Boolean.getBoolean("pyrometer.describe")) {
      Files.writeString(committed, Files.readString(described));
    }
    assertThat(Json.LINES.readTree(committed.toFile()))
        .as("regenerate it: ./mvnw verify -Dit.test=DescriptionsIT -Dpyrometer.describe=true")
        .isEqualTo(Json.LINES.readTree(described.toFile()));
  }

  private java.io.File log() throws IOException {
    return folder.resolve("log").toFile();
  }
}
