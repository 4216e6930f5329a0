package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SshConfigurationTest {
  @TempDir Path folder;

  private String address(String name, String output) throws IOException {
    Path ssh = folder.resolve("ssh");
    Files.writeString(ssh, "#!/bin/sh\n[ \"$1 $2\" = \"-G " + name + "\" ] && " + output + "\n");
    Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
    return SshConfiguration.address(ssh.toString(), name);
  }

  @Test
  void theAddressIsTheOneOfTheConfiguration() throws IOException {
    assertThat(address("w1", "printf 'user me\\nhostname 10.0.0.7\\nport 22\\n'"))
        .isEqualTo("10.0.0.7");
  }

  @Test
  void aNameThatSshCannotTellIsTheAddressItself() throws IOException {
    assertThat(address("me@w1.example.org", "exit 255")).isEqualTo("w1.example.org");
    assertThat(SshConfiguration.address(folder.resolve("none").toString(), "w1")).isEqualTo("w1");
  }
}
