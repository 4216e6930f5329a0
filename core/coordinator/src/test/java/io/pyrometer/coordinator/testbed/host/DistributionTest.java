package io.pyrometer.coordinator.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.testbed.host.Distribution.Program;
import io.pyrometer.coordinator.testbed.process.ProcessLimits;
import io.pyrometer.protocol.DriverDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistributionTest {
  @TempDir Path folder;

  private static int feature() {
    return Runtime.version().feature();
  }

  @Test
  void aDriversFlagsDependOnTheVersionOfTheJvm() {
    DriverDescription flagged =
        FakeRun.portless(
            "fake",
            List.of(
                new DriverDescription.JvmFlags(feature(), List.of("--for-this")),
                new DriverDescription.JvmFlags(feature() + 1, List.of("--for-later"))),
            List.of());
    List<String> flags =
        new Distribution(folder)
            .jvmFlags(Program.of(flagged), 1 << 20, new ProcessLimits(List.of(0), 0, 0));
    assertThat(flags)
        .startsWith("--for-this", "-XX:ActiveProcessorCount=1", "-Xms1048576", "-Xmx1048576")
        .doesNotContain("--for-later");
  }

  @Test
  void theUsersClassesComeAfterTheDriversAndThoseOfAVersionBeforeThem() {
    List<String> command =
        new Distribution(folder)
            .workerCommand(
                new Program(
                    FakeRun.driver("fake"),
                    Jvm.OWN,
                    List.of(),
                    List.of(Path.of("/build")),
                    Optional.empty()),
                List.of("-Xmx1m"),
                List.of(Path.of("/a.jar"), Path.of("/b")),
                true);
    assertThat(command)
        .containsSequence(
            "-cp",
            "/build:" + folder + "/drivers/fake/*:/a.jar:/b",
            "io.pyrometer.worker.Worker",
            "fake");
    assertThat(command.get(0)).endsWith("/bin/java");
  }

  private static final String PROPERTY = "pyrometer.archive";

  private Path archive(String jvm) {
    return folder.resolve("classes-" + jvm + ".jsa");
  }

  @AfterEach
  void makeNone() {
    System.clearProperty(PROPERTY);
  }

  @Test
  void anArchiveOfThisJvmIsUsed() throws Exception {
    Path archive = Files.createFile(archive(Runtime.version().toString()));
    assertThat(Distribution.archiveFlags(folder))
        .containsExactly("-XX:SharedArchiveFile=" + archive);
  }

  @Test
  void noArchiveIsUsedAndNoneOfAnotherJvm() throws Exception {
    assertThat(Distribution.archiveFlags(folder)).isEmpty();
    Path unused = Files.createFile(archive("17.0.1+12-other"));
    assertThat(Distribution.archiveFlags(folder)).isEmpty();
  }

  /** The start script renames the part when its processes have ended, so none reads half of it. */
  @Test
  void anArchiveThatIsMadeIsWrittenBesideTheOneInUse() throws Exception {
    Path archive = Files.createFile(archive(Runtime.version().toString()));
    System.setProperty(PROPERTY, "make");
    assertThat(Distribution.archivesClasses()).isTrue();
    assertThat(Distribution.archiveFlags(folder))
        .containsExactly("-XX:ArchiveClassesAtExit=" + archive + ".part");
  }
}
