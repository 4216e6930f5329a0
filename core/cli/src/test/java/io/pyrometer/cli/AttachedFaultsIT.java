package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is odd about a cluster of somebody else is said in one sentence before a run. Its server
 * registers no MBeans, and its cache has an affinity function of its own.
 */
@Tag("extended")
class AttachedFaultsIT extends RunFixture {
  private static final String AFFINITY =
      """
      package com.example;

      public class TheirAffinity
          extends org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction {
        public TheirAffinity() {
          super(false, 64);
        }
      }
      """;

  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: theirs
      question: What is odd about their cluster?
      grid: {driver: ignite, attach: "%s", agent-heap: 256m}
      workload: {record: stock-order, records: 2000, path: put}
      """;

  private static TheirCluster theirs;
  private static Path classes;

  @BeforeAll
  static void startTheirs(@TempDir Path folder) throws Exception {
    classes = Files.createDirectories(folder.resolve("classes"));
    Path source = Files.writeString(folder.resolve("TheirAffinity.java"), AFFINITY);
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                TheirCluster.withoutOurs(),
                "-d",
                classes.toString(),
                source.toString());
    assertThat(failed).isZero();
    theirs =
        TheirCluster.start(
            folder,
            1,
            128 << 20,
            "256m",
            false,
            "<property name=\"affinity\"><bean class=\"com.example.TheirAffinity\"/></property>",
            Optional.of(classes));
  }

  @AfterAll
  static void stopTheirs() {
    theirs.close();
  }

  private Ended validate(String experiment, String... classPath) throws Exception {
    write("theirs.yaml", experiment);
    return pyrometer.run(
        Stream.concat(Stream.of("validate", "theirs.yaml"), Stream.of(classPath))
            .toArray(String[]::new));
  }

  @Test
  void aClassOfTheirCacheThatIsMissingIsNamed() throws Exception {
    Ended ended = validate(EXPERIMENT.formatted(theirs.address));
    assertThat(ended.err()).contains("'com.example.TheirAffinity'", "--classpath").hasLineCount(1);
    assertThat(ended.code()).isEqualTo(2);
    assertThat(theirs.alive()).isTrue();
  }

  @Test
  void withTheClassTheAffinityIsShownAlsoWhereAnAddressHasNoServer() throws Exception {
    Ended ended =
        validate(
            EXPERIMENT.formatted(theirs.address + ",127.0.0.1:9"),
            "--classpath",
            classes.toString());
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out().replaceAll("\\s+", " "))
        .contains("affinity com.example.TheirAffinity")
        .contains("partitions 64");
    assertThat(ended.code()).isZero();
  }
}
