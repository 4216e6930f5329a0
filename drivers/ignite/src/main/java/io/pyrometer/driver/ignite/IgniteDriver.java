package io.pyrometer.driver.ignite;

import io.pyrometer.chaos.ChaosMessages;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.driver.ignite.doctor.Doctor;
import io.pyrometer.driver.ignite.doctor.StatisticsWorkload;
import io.pyrometer.driver.ignite.node.Configurations;
import io.pyrometer.driver.ignite.node.ServerNode;
import io.pyrometer.driver.ignite.path.AccessPaths;
import io.pyrometer.driver.ignite.path.IgnitePath;
import io.pyrometer.driver.ignite.scenario.IgniteScenario;
import io.pyrometer.driver.ignite.scenario.IgniteScenarios;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.driver.ignite.settings.TunableOptions;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.DriverDescription.JvmFlags;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.ServerDescription.MemoryNeed;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.WorkloadSample;
import io.pyrometer.scenario.ScenarioMessages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ignite.internal.IgniteProperties;

/** Apache Ignite 2. */
public final class IgniteDriver implements GridDriver {
  private static final List<String> OPENED_PACKAGES =
      List.of(
          "java.base/jdk.internal.access",
          "java.base/jdk.internal.misc",
          "java.base/sun.nio.ch",
          "java.base/sun.util.calendar",
          "java.base/sun.reflect.generics.reflectiveObjects",
          "java.base/java.io",
          "java.base/java.nio",
          "java.base/java.net",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.locks",
          "java.base/java.util.concurrent.atomic",
          "java.base/java.lang",
          "java.base/java.lang.invoke",
          "java.base/java.math",
          "java.base/java.time",
          "java.base/java.text",
          "java.management/com.sun.jmx.mbeanserver",
          "java.management/sun.management",
          "jdk.internal.jvmstat/sun.jvmstat.monitor",
          "jdk.management/com.sun.management.internal",
          "java.sql/java.sql");

  private static final List<String> PROPERTIES =
      List.of(
          "java.net.preferIPv4Stack=true",
          "IGNITE_UPDATE_NOTIFIER=false",
          "IGNITE_QUIET=true",
          "IGNITE_NO_ASCII=true",
          "IGNITE_NO_SHUTDOWN_HOOK=true",
          // Nobody looks at them, and a node takes a tenth longer to start with them.
          "IGNITE_MBEANS_DISABLED=true",
          "IGNITE_PERFORMANCE_SUGGESTIONS_DISABLED=true");

  /** Memory access through Unsafe is refused from JDK 24 on unless it is allowed. */
  private static final List<JvmFlags> JVM_FLAGS =
      List.of(
          new JvmFlags(
              17,
              Stream.concat(
                      OPENED_PACKAGES.stream().map("--add-opens=%s=ALL-UNNAMED"::formatted),
                      PROPERTIES.stream().map("-D"::concat))
                  .toList()),
          new JvmFlags(24, List.of("--sun-misc-unsafe-memory-access=allow")));

  /** A server with persistence writes all files of its write-ahead log before it is up. */
  private static final double START_SECONDS = 80;

  private static final double JOIN_SECONDS = 60;

  /**
   * Beside the region, with persistence, a copy of those of its pages that change while a
   * checkpoint is written. Ignite's own default has steps; a quarter is never less than it up to 8
   * GB and more above.
   */
  private static final List<MemoryNeed> MEMORY =
      List.of(
          new MemoryNeed(GridSettings.REGION.name(), 1, 0, Optional.empty()),
          new MemoryNeed(
              GridSettings.REGION.name(),
              0.25,
              256L << 20,
              Optional.of(GridSettings.PERSISTENCE.name())));

  private static final List<EqualTerm> EQUAL_TERMS =
      List.of(
          EqualTerm.as("backups", "backups"),
          EqualTerm.when("acknowledged-by", "all", Map.of("synchronisation", "FULL_SYNC")),
          EqualTerm.when("acknowledged-by", "primary", Map.of("synchronisation", "PRIMARY_SYNC")),
          EqualTerm.when("durability", "memory", Map.of("persistence", "off")),
          EqualTerm.when("durability", "disk", Map.of("persistence", "on", "wal-mode", "FSYNC")),
          EqualTerm.when("client", "member", Map.of())
              .butNot("(?!thin-).*", "Paths 'thin-…' use clients outside the cluster."),
          EqualTerm.when("client", "remote", Map.of())
              .butNot("thin-.*", "Other paths than 'thin-…' use a member of the cluster."),
          EqualTerm.when("encoding", "in-advance", Map.of("value-form", "prebuilt")),
          EqualTerm.when("encoding", "each-call", Map.of("value-form", "fresh-builder")),
          EqualTerm.as("heap", "node-heap")
              .but("Records are stored off-heap, in a data region of its own size."));

  /** From which share of the CPU time on marshalling is a diagnosis; Pyrometer's own. */
  private static final double MARSHALLING_SHARE = 0.25;

  private static final List<FrameCategory> FRAME_CATEGORIES =
      List.of(
          new FrameCategory(
              "SQL", "ignite/internal/processors/query/|^org/h2/|^org/apache/calcite/"),
          new FrameCategory(
              "marshalling",
              "ignite/internal/(binary|marshaller|direct)/|ignite/marshaller/"
                  + "|ignite/plugin/extensions/communication/",
              Optional.of(
                  new FrameCategory.Remedy(
                      MARSHALLING_SHARE,
                      GridSettings.VALUE_FORM.name(),
                      List.of("object", "deserialized", "from-object", "fresh-builder"),
                      "cached-builder",
                      "https://ignite.apache.org/docs/latest/key-value-api/binary-objects"))),
          new FrameCategory(
              "network threads",
              "ignite/internal/util/nio/|ignite/spi/communication/|ignite/internal/managers/communication/"
                  + "|ignite/internal/client/thin/|ignite/internal/processors/odbc/|^sun/nio/ch/"),
          new FrameCategory(
              "discovery and upkeep",
              "ignite/spi/discovery/|ignite/internal/managers/discovery/|IgniteUtils\\$22"
                  + "|LongJVMPauseDetector|processors/timeout/|pagelocktracker|ignite/internal/processors/metric/"),
          new FrameCategory(
              "persistence",
              "processors/cache/persistence/(wal|checkpoint|file)/|FsyncModeFileWrite"),
          new FrameCategory(
              "page memory and indexes",
              "processors/cache/persistence/|ignite/internal/pagemem/|/cache/tree/"
                  + "|GridUnsafe|IgniteCacheOffheapManager"),
          new FrameCategory(
              "protocol and locking",
              "ignite/internal/processors/|ignite/internal/managers/|StripedExecutor"
                  + "|ignite/internal/util/(future|worker|lang)"),
          new FrameCategory("user code", "^io/pyrometer/"));

  @Override
  public DriverDescription describe() {
    return new DriverDescription(
        "ignite",
        "Apache Ignite",
        IgniteProperties.get("ignite.version"),
        "A cluster of server nodes, each a JVM of its own, used through a thick client.",
        List.of(
            "nodes",
            "config",
            "attach",
            DriverDescription.ELASTIC,
            DriverDescription.DOCTOR,
            DriverDescription.PROPERTIES),
        new ServerDescription(
                false,
                List.of("discovery", "thin clients"),
                START_SECONDS,
                JOIN_SECONDS,
                MEMORY,
                ServerDescription.USUAL_FAIL_OVER_SECONDS)
            .storingWithin(
                GridSettings.REGION.name(),
                GridSettings.PERSISTENCE.name(),
                GridSettings.PAGE_EVICTION.name(),
                GridSettings.TTL.name()),
        JVM_FLAGS,
        GridSettings.ALL,
        Stream.of(
                AccessPaths.ALL.stream().map(IgnitePath::description),
                IgniteScenarios.DESCRIPTIONS.stream(),
                IgniteChaos.DESCRIPTIONS.stream(),
                IgniteCaches.DESCRIPTIONS.stream())
            .flatMap(paths -> paths)
            .toList(),
        EQUAL_TERMS,
        GridSettings.DATA,
        FRAME_CATEGORIES,
        TunableOptions.ALL);
  }

  @Override
  public void loadClasses(TrialSpec trial) {
    if (trial.job() == ScenarioMessages.JOB) {
      IgniteScenario unused = IgniteScenarios.of(trial);
    } else if (trial.job() != ChaosMessages.JOB) {
      AccessPaths.loadClasses(trial);
    }
  }

  @Override
  public HealthReport examine(String config) {
    return Files.isDirectory(Path.of(config))
        ? Doctor.examineStatistics(Path.of(config))
        : Doctor.examine(Configurations.read(config), config);
  }

  @Override
  public WorkloadSample sample(String folder) {
    return StatisticsWorkload.of(Path.of(folder));
  }

  @Override
  public ServerLauncher servers() {
    return spec ->
        ServerNode.start(
            new Command.StartServer(
                spec.index(),
                spec.servers(),
                spec.ports(),
                spec.peers(),
                spec.config(),
                spec.workFolder(),
                GridSettings.complete(List.of(), spec.settings())));
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return IgniteSession.open(spec);
  }
}
