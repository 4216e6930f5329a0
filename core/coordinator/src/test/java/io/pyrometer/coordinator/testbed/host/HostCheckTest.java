package io.pyrometer.coordinator.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.experiment.model.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostCheckTest {
  private static final String OURS = "openjdk version \"" + Runtime.version().feature() + ".0.1\"";
  private static final Map<String, String> HEALTHY =
      Map.of(
          "java", OURS,
          "writable", "yes",
          "disk", "9000000",
          "files", "65536",
          "swappiness", "1",
          "huge-pages", "always [madvise] never",
          "workers", "0");

  @TempDir Path folder;

  private Host host(String name, String command) {
    return new Host(
        name,
        List.of("sh", "-c", command, "reach"),
        Host.LOOPBACK,
        folder.toString(),
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        Optional.empty(),
        Optional.empty());
  }

  private static Map<String, String> but(String name, String value) {
    Map<String, String> facts = new TreeMap<>(HEALTHY);
    facts.put(name, value);
    return facts;
  }

  private List<String> warnings(String name, String value) {
    return HostCheck.warnings(host("far", ""), but(name, value));
  }

  private List<String> errors(String name, String value) {
    return HostCheck.errors(host("far", ""), but(name, value), Optional.empty());
  }

  @Test
  void aRuntimeIsSentToHostsOfTheSameSystemAndArchitectureAlone() {
    Host without =
        new Host(
            "far",
            List.of("reach"),
            Host.LOOPBACK,
            "/tmp",
            Host.BUNDLED_JAVA,
            Optional.empty(),
            Optional.empty());
    String arch = System.getProperty("os.arch").replace("amd64", "x86_64");
    Map<String, String> facts = but("system", System.getProperty("os.name") + " 6.1 " + arch);
    facts.put("java", "");
    assertThat(HostCheck.errors(without, facts, Optional.empty())).isEmpty();
    facts.put("system", "Plan9 4 mips");
    assertThat(HostCheck.errors(without, facts, Optional.empty()))
        .singleElement()
        .asString()
        .contains("(Plan9 4 mips) cannot run the Java runtime of this machine");
  }

  @Test
  void allHostsAreLookedAtAndEachThatRefusesSaysWhy() throws Exception {
    List<HostCheck> checks =
        HostCheck.of(
            List.of(
                host("near", "exec \"$@\""),
                host("far", "echo 'Permission denied (publickey).' >&2; exit 255"),
                host("gone", "echo 'No route to host' >&2; exit 255")));
    assertThat(checks.get(0).errors()).isEmpty();
    assertThat(checks.get(0).facts()).containsKeys("java", "system", "cores", "disk", "writable");
    assertThat(checks.get(0).clock().orElseThrow().ahead())
        .isCloseTo(0, within(checks.get(0).clock().orElseThrow().error()));
    assertThat(checks.get(1).errors())
        .singleElement()
        .asString()
        .startsWith("The host 'far' (")
        .endsWith("cannot be used: Permission denied (publickey).");
    assertThat(checks.get(2).errors()).singleElement().asString().contains("No route to host.");
  }

  @Test
  void aFolderThatNobodyCanWriteToIsAnError() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    Host on = host("near", "exec \"$@\"");
    Host wrong =
        new Host(
            "near", on.prefix(), on.address(), file + "/in", on.java(), on.runs(), on.severing());
    assertThat(HostCheck.errors(List.of(wrong)))
        .singleElement()
        .asString()
        .contains("does not let its user write to " + file + "/in");
  }

  @Test
  void healthyHostsHaveNoRemark() {
    assertThat(HostCheck.errors(host("far", ""), HEALTHY, Optional.empty())).isEmpty();
    assertThat(HostCheck.warnings(host("far", ""), HEALTHY)).isEmpty();
  }

  @Test
  void whatARunWouldFailForIsAnError() {
    assertThat(errors("java", "openjdk version \"11.0.2\""))
        .singleElement()
        .asString()
        .contains("no JVM of version");
    assertThat(errors("disk", "1000")).singleElement().asString().contains("0 MiB left");
  }

  @Test
  void whatMakesFiguresWorseIsAWarning() {
    assertThat(warnings("files", "1024")).singleElement().asString().contains("1024 files");
    assertThat(warnings("swappiness", "60")).singleElement().asString().contains("= 60");
    assertThat(warnings("huge-pages", "[always] madvise never")).hasSize(1);
    assertThat(warnings("governor", "powersave")).hasSize(1);
    assertThat(warnings("workers", "3")).singleElement().asString().contains("3 worker processes");
  }

  @Test
  void aClockIsWrongOnlyWhereItsErrorCannotExplainIt() {
    Optional<HostCheck.Clock> near = HostCheck.clock("101.200000000", 100.0, 101.0);
    assertThat(near.orElseThrow().ahead()).isCloseTo(0.7, within(1e-6));
    assertThat(near.orElseThrow().error()).isCloseTo(0.5, within(1e-6));
    assertThat(HostCheck.errors(host("far", ""), HEALTHY, near)).isEmpty();
    assertThat(HostCheck.errors(host("far", ""), HEALTHY, HostCheck.clock("98.0", 100.0, 100.2)))
        .singleElement()
        .asString()
        .contains("2.1 s behind");
    assertThat(HostCheck.clock("101.N", 100.0, 101.0)).isEmpty();
  }
}
