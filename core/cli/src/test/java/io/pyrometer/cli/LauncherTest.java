package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code pyrometer} in a folder of its own, with a JDK and a build that only say that
 * they were called.
 */
class LauncherTest {

  @TempDir Path folder;
  private Path home = Path.of("");

  @BeforeEach
  void sources() throws IOException {
    // The launcher searches for processes by this name, which is no regular expression.
    home = Files.createDirectory(folder.toRealPath().resolve("c++"));
    Path launcher = Path.of("../../pyrometer").toAbsolutePath();
    Files.copy(launcher, home.resolve("pyrometer"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    script("jdk/bin/java", "case \"$*\" in *archive=make*) ;; *) echo \"started $*\" ;; esac");
    script("jdk/bin/javac", "");
    Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    script("mvnw", "echo \"build $*\" >>builds; mkdir -p target/dist/lib");
  }

  @Test
  void twoFirstUsesAtOnceBuildOnceAndBothStart() throws Exception {
    script("mvnw", "echo \"build $*\" >>builds; sleep 1; mkdir -p target/dist/lib");
    Process one = start("list");
    Process two = start("plan");
    assertThat(output(one)).contains("started").contains("io.pyrometer.cli.Main list");
    assertThat(output(two)).contains("started").contains("io.pyrometer.cli.Main plan");
    assertThat(Files.readAllLines(home.resolve("builds"))).hasSize(1);
    assertThat(home.resolve("target/building.pid")).doesNotExist();
  }

  @Test
  void aBuildThatDiedWithoutCleaningUpDelaysNobody() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Files.createDirectories(home.resolve("target"));
    Files.writeString(home.resolve("target/building.pid"), dead.pid() + "\n");
    assertThat(output(start("list"))).contains("started").doesNotContain("waiting");
  }

  @Test
  void aBuildThatFailsNamesItsLogAndLeavesTheNextOneFree() throws Exception {
    script("mvnw", "echo '[ERROR] no network'; exit 1");
    Process failing = start("list");
    assertThat(output(failing)).contains("no network").contains("target/build.log");
    assertThat(failing.exitValue()).isEqualTo(2);
    assertThat(home.resolve("target/building.pid")).doesNotExist();
  }

  @Test
  void nothingIsBuiltWhileARunUsesTheLastBuild() throws Exception {
    assumeThat(new ProcessBuilder("sh", "-c", "command -v pgrep").start().waitFor()).isZero();
    assertThat(output(start("list"))).contains("started");
    String dist = "-Dpyrometer.dist=" + home.toRealPath() + "/target/dist";
    Process run = new ProcessBuilder("sh", "-c", "read -r end", "run", dist, "run").start();
    try {
      Files.setLastModifiedTime(
          home.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(60)));
      Process refused = start("list");
      assertThat(output(refused)).doesNotContain("started").contains("(process " + run.pid());
      assertThat(refused.exitValue()).isEqualTo(2);
    } finally {
      run.destroyForcibly();
    }
    assertThat(Files.readAllLines(home.resolve("builds"))).hasSize(1);
  }

  @Test
  void driversAreBuiltWhenTheCoordinatorAsksForThem() throws Exception {
    assertThat(output(start("list"))).contains("-Dpyrometer.launcher=" + home.toRealPath());
    assertThat(output(start("--build-drivers", "redis", "hazelcast")))
        .contains("redis hazelcast")
        .doesNotContain("started");
    List<String> builds = Files.readAllLines(home.resolve("builds"));
    assertThat(builds).hasSize(2).allMatch(build -> build.contains("-Dmaven.test.skip=true"));
    assertThat(builds.get(0)).contains("core/cli,", ",drivers/ignite ").doesNotContain("redis");
    assertThat(builds.get(1)).contains("-pl drivers/redis,drivers/hazelcast -am");
  }

  private void script(String name, String body) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("./pyrometer"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(home.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
    builder.environment().remove("PYROMETER_NO_BUILD");
    return builder.start();
  }

  private static String output(Process process) throws Exception {
    String text = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return text;
  }
}
