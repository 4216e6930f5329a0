package io.pyrometer.coordinator.fault;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** One guarantee probe on a cluster, which a node is missing from afterwards if it was killed. */
public final class ProbeTrial {
  private static final long ORDER_KEYS = 2_000;
  private static final long READ_KEYS = 200;
  private static final long KILL_KEYS = 50_000;
  private static final double MOST_ORDER_SECONDS = 0.8;
  private static final double READ_SECONDS = 1.5;
  private static final double MOST_KILL_SECONDS = 60;
  private static final Duration BEFORE_KILL = Duration.ofMillis(1_500);

  private final Cluster cluster;
  private final TrialSpec spec;
  private final ProbeKind kind;
  private final Time time;

  public ProbeTrial(Cluster cluster, TrialSpec spec, ProbeKind kind, Time time) {
    this.cluster = cluster;
    this.spec = spec;
    this.kind = kind;
    this.time = time;
  }

  /**
   * @throws WorkerException if the probe could not be made
   */
  public ProbeCounts make() {
    ManagedProcess agent = cluster.agents().get(0);
    if (kind == ProbeKind.KILL && cluster.nodes().size() < 2) {
      throw new WorkerException(
          "One node alone cannot be killed and asked afterwards; take two or more.", false);
    }
    agent.request(
        new Command.BeginProbe(kind, trial(), seconds()), Answer.Done.class, Timeouts.PREPARE);
    if (kind == ProbeKind.KILL) {
      killOne(agent);
    }
    return agent
        .request(new Command.EndProbe(), Answer.Probed.class, Timeouts.probe(spec.settings()))
        .found();
  }

  /** The last, because some clients hold to the first. */
  private void killOne(ManagedProcess agent) {
    time.sleep(BEFORE_KILL);
    agent.request(new Command.Measure(), Answer.Done.class, Timeouts.QUICK);
    List<ManagedProcess> nodes = cluster.nodes();
    nodes.get(nodes.size() - 1).kill();
    time.sleep(failOver());
  }

  private double seconds() {
    return switch (kind) {
      case ORDER -> Math.min(MOST_ORDER_SECONDS, spec.settings().get(CoreSettings.MEASURE) / 2);
      case READ -> READ_SECONDS;
      case KILL -> MOST_KILL_SECONDS;
    };
  }

  private TrialSpec trial() {
    long keys =
        switch (kind) {
          case ORDER -> ORDER_KEYS;
          case READ -> READ_KEYS;
          case KILL -> KILL_KEYS;
        };
    Settings settings = spec.settings().with("records", keys);
    return new TrialSpec(
        "probe-%s-%s".formatted(kind.name().toLowerCase(Locale.ROOT), spec.id()),
        spec.ordinal(),
        spec.block(),
        spec.levels(),
        spec.job(),
        settings,
        spec.record(),
        spec.seed());
  }

  /** How long clients of the product may need to continue after a server was killed. */
  private Duration failOver() {
    return Duration.ofMillis((long) (1_000 * cluster.driver().servers().failOverSeconds()));
  }
}
