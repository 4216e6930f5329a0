package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Messages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Hosts that are cut off from the others in the middle of a trial, and healed: when the time has
 * come, when the trial ends otherwise, or when this JVM does.
 */
final class NetworkPartition implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<Host> hosts;
  private final double after;
  private final double until;
  private final Thread hook = new Thread(this::heal, "heal");
  private volatile boolean begun;
  private boolean healed;

  private NetworkPartition(List<Host> hosts, double after, double seconds) {
    this.hosts = hosts;
    this.after = after;
    this.until = after + seconds;
  }

  static NetworkPartition of(Settings trial, List<Host> hosts) {
    double seconds = trial.find(CoreSettings.CUT_FOR).orElse(0.0);
    if (seconds <= 0) {
      return new NetworkPartition(List.of(), 0, 0);
    }
    List<Host> cuttable = hosts.stream().filter(host -> host.severing().isPresent()).toList();
    if (cuttable.isEmpty()) {
      throw WorkerException.refused("coordinator.no-severing");
    }
    return new NetworkPartition(cuttable, trial.get(CoreSettings.CUT_AFTER), seconds);
  }

  void at(double secondsIntoTheMeasuredPart) {
    if (!begun && !hosts.isEmpty() && secondsIntoTheMeasuredPart >= after) {
      begun = true;
      Runtime.getRuntime().addShutdownHook(hook);
      hosts.forEach(host -> run(host, host.severing().map(Host.Severing::cut)));
    }
    if (begun && secondsIntoTheMeasuredPart >= until) {
      close();
    }
  }

  /** Which hosts, empty for none. */
  List<String> names() {
    return hosts.stream().map(Host::name).toList();
  }

  /** Heals every host that was cut off, the others too where it fails for one. */
  @Override
  public void close() {
    try {
      heal();
    } finally {
      try {
        boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException endingNow) {
        // The hook heals as well.
      }
    }
  }

  private synchronized void heal() {
    if (begun && !healed) {
      healed = true;
      List<WorkerException> failures = new ArrayList<>();
      for (Host host : hosts) {
        try {
          run(host, host.severing().map(Host.Severing::heal));
        } catch (WorkerException failure) {
          failures.add(failure);
        }
      }
      if (!failures.isEmpty()) {
        throw failures.get(0);
      }
    }
  }

  private static void run(Host host, Optional<List<String>> command) {
    List<String> words = command.orElseThrow();
    String how;
    try {
      int code = new RemoteShell(Host.LOCAL).run(PATIENCE, words.toArray(String[]::new)).code();
      if (code == 0) {
        return;
      }
      how = LogTail.exit(code);
    } catch (WorkerException cannot) {
      how = Messages.format("coordinator.command-failed");
    }
    throw WorkerException.refused(
        "coordinator.host-command", String.join(" ", words), host.name(), how);
  }
}
