package io.pyrometer.coordinator.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmTest {
  @TempDir Path folder;

  @Test
  void theNewestRuntimeOfAFeatureVersionIsTaken() throws IOException {
    List<Path> places =
        List.of(
            runtime("a", "99.0.2"),
            runtime("b", "99.0.10"),
            runtime("c", "98.0.1"),
            folder.resolve("none"));
    assertThat(Jvm.named("99", places)).map(Jvm::home).contains(folder.resolve("b"));
    assertThat(Jvm.named("98", places)).map(Jvm::feature).contains(98);
    assertThat(Jvm.named("97", places)).isEmpty();
  }

  @Test
  void aFolderWithoutARuntimeOrWithoutItsVersionIsNone() throws IOException {
    Path silent = runtime("silent", "99");
    Files.writeString(silent.resolve("release"), "IMPLEMENTOR=\"nobody\"\n");
    Path odd = runtime("odd", "not a version");
    Path dead = runtime("dead", "99");
    Files.delete(dead.resolve("bin/java"));
    assertThat(Jvm.named("99", List.of(silent, odd, dead))).isEmpty();
    assertThat(Jvm.missing(dead.toString()).orElseThrow()).contains(dead.toString());
    assertThat(Jvm.missing("3").orElseThrow())
        .contains(String.valueOf(Runtime.version().feature()));
  }

  private Path runtime(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Path java = Files.writeString(home.resolve("bin/java"), "#!/bin/sh\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }
}
