package io.pyrometer.coordinator.fault;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Messages;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/**
 * A server that leaves, is killed or joins in the measured part of a trial, and may come back. What
 * takes time happens beside the trial, which goes on.
 */
public final class ServerEvent {
  private final Cluster cluster;
  private final Time time;
  private final String event;
  private final double after;
  private final double returnAfter;
  private final List<ManagedProcess> there;
  private volatile Optional<ManagedProcess> joined = Optional.empty();
  private Optional<ProcessUsage> ofGone = Optional.empty();
  private final Map<String, Double> times = new TreeMap<>();
  private long begin;
  private Optional<ManagedProcess> gone = Optional.empty();
  private Optional<CompletableFuture<Void>> departing = Optional.empty();
  private Optional<CompletableFuture<Void>> coming = Optional.empty();

  private ServerEvent(Settings trial, Cluster cluster, Time time) {
    this.cluster = cluster;
    this.time = time;
    this.event = trial.find(CoreSettings.SERVER_EVENT).orElse("none");
    this.after = trial.find(CoreSettings.EVENT_AFTER).orElse(0.0);
    this.returnAfter = trial.find(CoreSettings.RETURN_AFTER).orElse(0.0);
    this.there = List.copyOf(cluster.everyone());
    this.begin = time.nanoTime();
  }

  /** The event that a trial asks for, if any. Its measured part begins now. */
  public static ServerEvent of(Settings trial, Cluster cluster, Time time) {
    ServerEvent made = new ServerEvent(trial, cluster, time);
    if (made.planned()) {
      made.mustBePossible(trial);
    }
    return made;
  }

  private boolean planned() {
    return !event.equals("none");
  }

  private boolean departs() {
    return planned() && !event.equals("join");
  }

  private boolean returns() {
    return departs() && returnAfter > 0;
  }

  private void mustBePossible(Settings trial) {
    if (!departs() || returns()) {
      cluster.spec().requireElastic();
    }
    if (departs() && cluster.nodes().size() < 2) {
      throw WorkerException.mismatch(Messages.format("coordinator.last-server"), event);
    }
    if (after >= trial.get(CoreSettings.MEASURE)
        || returnAfter >= trial.get(CoreSettings.MEASURE)) {
      throw WorkerException.mismatch(
          Messages.format("coordinator.late-event"), trial.get(CoreSettings.MEASURE));
    }
    if (returns() && returnAfter <= after) {
      throw WorkerException.mismatch(Messages.format("coordinator.early-return"));
    }
  }

  public void at(double secondsIntoTheMeasuredPart) {
    if (departs() && departing.isEmpty() && secondsIntoTheMeasuredPart >= after) {
      ManagedProcess last = cluster.nodes().get(cluster.nodes().size() - 1);
      ofGone = Optional.of(ProcessUsage.of(List.of(last)));
      gone = Optional.of(last);
      happens(event);
      if (event.equals("kill")) {
        last.kill();
        last.awaitEnd(Timeouts.STOP);
      }
      departing = Optional.of(beside(() -> depart(last)));
    }
    boolean starts =
        event.equals("join")
            ? secondsIntoTheMeasuredPart >= after
            : returns()
                && secondsIntoTheMeasuredPart >= returnAfter
                && departing.filter(CompletableFuture::isDone).isPresent();
    if (starts && coming.isEmpty()) {
      boolean again = departs();
      happens(again ? "return" : "join");
      int index = cluster.nodes().size() - (again ? 1 : 0);
      coming = Optional.of(beside(() -> come(index)));
    }
    begun().filter(CompletableFuture::isCompletedExceptionally).forEach(ServerEvent::join);
  }

  private void depart(ManagedProcess last) {
    if (event.equals("leave")) {
      last.stop(Timeouts.STOP);
      last.awaitEnd(Timeouts.STOP);
      happens("left");
    }
  }

  private void come(int index) {
    joined = Optional.of(cluster.startServer(index));
    happens("joined");
  }

  private CompletableFuture<Void> beside(Runnable what) {
    return CompletableFuture.runAsync(what, time::beside);
  }

  private void happens(String what) {
    synchronized (times) {
      times.put(what, time.secondsSince(begin));
    }
  }

  private Stream<CompletableFuture<Void>> begun() {
    return Stream.concat(departing.stream(), coming.stream());
  }

  private static void join(CompletableFuture<Void> what) {
    try {
      what.join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof WorkerException known) {
        throw known;
      }
      throw failure;
    }
  }

  /** Waits for what was begun and is not done, such as a server that is slow to join. */
  public void await() {
    begun().forEach(ServerEvent::join);
  }

  /** The server that left or was killed; nobody misses it. */
  public Optional<ManagedProcess> gone() {
    return gone;
  }

  /** Processes that were there from the beginning and still are. */
  private List<ManagedProcess> stayed() {
    return there.stream()
        .filter(process -> process.alive() && !gone.equals(Optional.of(process)))
        .toList();
  }

  /**
   * Usage of all processes since, those that left or joined among them. What a server used while it
   * left, or while it has not joined yet, is not known.
   */
  public ProcessUsage usedSince(ProcessUsage before) {
    Map<String, Answer.Used> all = new TreeMap<>(cluster.usage(stayed()).since(before).byProcess());
    ofGone.ifPresent(used -> all.putAll(used.since(before).byProcess()));
    joined
        .filter(ManagedProcess::alive)
        .ifPresent(
            process ->
                ProcessUsage.of(List.of(process))
                    .byProcess()
                    .forEach((name, used) -> all.put(name + "-later", sinceItsStart(used))));
    return new ProcessUsage(all);
  }

  /** Its machine is read by those that were there from the beginning. */
  private static Answer.Used sinceItsStart(Answer.Used used) {
    return used.since(Answer.Used.nothing(used.machine()));
  }

  /** When what happened, seconds from the start of the measured part. */
  public Map<String, Metric> metrics() {
    Map<String, Metric> metrics = new TreeMap<>();
    synchronized (times) {
      times.forEach(
          (what, seconds) -> metrics.put(Metric.SERVER_EVENT + what, Metric.neutral(seconds, "s")));
    }
    return metrics;
  }
}
