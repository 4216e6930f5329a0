package io.pyrometer.coordinator.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {
  private static final String PROPERTY = "pyrometer.archive";

  @TempDir Path driver;

  private Path archive(String jvm) {
    return driver.resolve("classes-" + jvm + ".jsa");
  }

  @AfterEach
  void makeNone() {
    System.clearProperty(PROPERTY);
  }

  @Test
  void anArchiveOfThisJvmIsUsed() throws Exception {
    Path archive = Files.createFile(archive(Runtime.version().toString()));
    assertThat(Distribution.archiveFlags(driver))
        .containsExactly("-XX:SharedArchiveFile=" + archive);
  }

  @Test
  void noArchiveIsUsedAndNoneOfAnotherJvm() throws Exception {
    assertThat(Distribution.archiveFlags(driver)).isEmpty();
    Path unused = Files.createFile(archive("17.0.1+12-other"));
    assertThat(Distribution.archiveFlags(driver)).isEmpty();
  }

  /** The start script renames the part when its processes have ended, so none reads half of it. */
  @Test
  void anArchiveThatIsMadeIsWrittenBesideTheOneInUse() throws Exception {
    Path archive = Files.createFile(archive(Runtime.version().toString()));
    System.setProperty(PROPERTY, "make");
    assertThat(Distribution.archivesClasses()).isTrue();
    assertThat(Distribution.archiveFlags(driver))
        .containsExactly("-XX:ArchiveClassesAtExit=" + archive + ".part");
  }
}
