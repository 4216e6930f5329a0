package io.pyrometer.coordinator.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.experiment.model.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    return HostCheck.errors(host("far", ""), but(name, value));
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
    assertThat(HostCheck.errors(without, facts)).isEmpty();
    facts.put("system", "Plan9 4 mips");
    assertThat(HostCheck.errors(without, facts))
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
                host("gone", "echo 'No route to host' >&2; exit 255")),
            false);
    assertThat(checks.get(0).errors()).isEmpty();
    assertThat(checks.get(0).facts()).containsKeys("java", "system", "cores", "disk", "writable");
    assertThat(checks.get(0).clock().orElseThrow().ahead())
        .isCloseTo(0, within(checks.get(0).clock().orElseThrow().error()));
    assertThat(checks.get(0).links()).as("nobody to be reached").isEmpty();
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
    assertThat(HostCheck.errors(host("far", ""), HEALTHY)).isEmpty();
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

  private static void judge(String epoch, List<String> errors, List<String> warnings) {
    HostCheck.Clock clock = HostCheck.clock(epoch, 100.0, 100.2).orElseThrow();
    HostCheck.judge(FAR, clock, errors, warnings);
  }

  private static final Host FAR =
      new Host(
          "far", List.of("ssh", "far"), "far", "/tmp", "java", Optional.empty(), Optional.empty());

  @Test
  void aClockIsWrongOnlyWhereItsErrorCannotExplainIt() {
    assertThat(HostCheck.clock("100.900000000", 100.0, 100.2).orElseThrow().ahead())
        .isCloseTo(0.8, within(1e-6));
    assertThat(HostCheck.clock("101.N", 100.0, 101.0)).isEmpty();
    List<String> errors = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    judge("100.204", errors, warnings);
    judge("101.19", errors, warnings);
    assertThat(errors).isEmpty();
    assertThat(warnings).singleElement().asString().contains("1.090 s ahead");
    judge("98.0", errors, warnings);
    assertThat(errors).singleElement().asString().contains("2.100 s behind");
    assertThat(warnings).hasSize(1);
  }

  @Test
  void everyPairIsMeasuredInBothDirectionsAndNothingIsLeftBehind() throws Exception {
    List<HostCheck> checks =
        HostCheck.of(
            List.of(host("a", "exec \"$@\""), host("b", "exec \"$@\""), host("c", "exec \"$@\"")),
            true);
    for (HostCheck check : checks) {
      assertThat(check.errors()).isEmpty();
      assertThat(check.links()).hasSize(2);
      assertThat(check.links().values())
          .allMatch(link -> link.roundTripMillis() > 0)
          .allMatch(link -> link.bitsPerSecond().orElse(0.0) > 0);
      assertThat(Math.abs(check.clock().orElseThrow().ahead()))
          .as("one machine has one clock")
          .isLessThanOrEqualTo(check.clock().orElseThrow().error() + 1e-3);
    }
    assertThat(folder).isEmptyDirectory();
  }

  /** Nothing can listen at an address for documentation (RFC 5737). */
  @Test
  void anAddressThatIsNoneOfTheHostsIsAnErrorWhereServersRun() throws Exception {
    Host near = host("near", "exec \"$@\"");
    Host wrong = at("192.0.2.1", Optional.empty());
    List<HostCheck> checks = HostCheck.of(List.of(near, wrong), true);
    assertThat(checks.get(0).errors()).isEmpty();
    assertThat(checks.get(0).links()).isEmpty();
    assertThat(checks.get(1).errors())
        .singleElement()
        .asString()
        .startsWith("Nothing can listen at 192.0.2.1 on host 'wrong' (sh ");
    HostCheck agents =
        HostCheck.of(List.of(near, at("192.0.2.1", Optional.of("agent"))), false).get(1);
    assertThat(agents.errors()).isEmpty();
    assertThat(agents.warnings()).anyMatch(warning -> warning.contains("listen at 192.0.2.1"));
  }

  private Host at(String address, Optional<String> runs) {
    Host near = host("wrong", "exec \"$@\"");
    return new Host(
        "wrong", near.prefix(), address, near.folder(), near.java(), runs, Optional.empty());
  }

  @Test
  void aHostWhereNothingListensIsNotReached() throws Exception {
    Host near = host("near", "exec \"$@\"");
    try (RunningProbe one = RunningProbe.on(near)) {
      RunningProbe gone = reached(near, one);
      assertThat(one.reach(gone).join().orElseThrow()).contains("refused");
      assertThat(one.measure(gone, 0).join()).isEmpty();
    }
  }

  /** Another, which has ended since. */
  private static RunningProbe reached(Host host, RunningProbe one) {
    try (RunningProbe other = RunningProbe.on(host)) {
      assertThat(one.reach(other).join()).isEmpty();
      assertThat(one.measure(other, 0).join().orElseThrow().bitsPerSecond()).isEmpty();
      return other;
    }
  }

  @Test
  void aHostWhoseJavaDoesNotStartIsToldApart() {
    Host broken = at(Host.LOOPBACK, Optional.empty());
    Host without =
        new Host(
            "wrong",
            broken.prefix(),
            broken.address(),
            broken.folder(),
            "false",
            Optional.empty(),
            Optional.empty());
    assertThatThrownBy(() -> RunningProbe.on(without))
        .hasMessageContaining("see that 'false' starts a JVM there");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 10, 11})
  void everyPairIsInOneRoundAndNoHostTwiceInARound(int hosts) {
    Set<Set<Integer>> pairs = new HashSet<>();
    for (List<HostNetwork.Pair> round : HostNetwork.rounds(hosts)) {
      Set<Integer> busy = new HashSet<>();
      for (HostNetwork.Pair pair : round) {
        assertThat(pairs.add(Set.of(pair.a(), pair.b()))).isTrue();
        assertThat(busy.add(pair.a()) && busy.add(pair.b())).isTrue();
      }
    }
    assertThat(pairs).hasSize(hosts * (hosts - 1) / 2);
    int rounds = HostNetwork.rounds(hosts).size();
    assertThat(2 * rounds * HostNetwork.millis(rounds))
        .as("milliseconds for all")
        .isLessThanOrEqualTo(4_000);
  }
}
