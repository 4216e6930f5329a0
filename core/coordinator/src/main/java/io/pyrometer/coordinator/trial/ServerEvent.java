package io.pyrometer.coordinator.trial;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A server that leaves, is killed or joins in the measured part of a trial, and may come back. What
 * takes time happens beside the trial, which goes on.
 */
final class ServerEvent {
  private final Cluster cluster;
  private final Time time;
  private final String event;
  private final double after;
  private final double returnAfter;
  private final boolean departs;
  private final List<ManagedProcess> there;
  private final long begin;
  private final Map<String, Double> times = new ConcurrentSkipListMap<>();
  private volatile Optional<ManagedProcess> joined = Optional.empty();
  private Optional<ProcessUsage> ofGone = Optional.empty();
  private Optional<ManagedProcess> gone = Optional.empty();

  /** The departure, if the event has one, and then the arrival. */
  private final List<CompletableFuture<Void>> begun = new ArrayList<>();

  /** The event that a trial asks for, if any. Its measured part begins now. */
  ServerEvent(Settings trial, Cluster cluster, Time time) {
    this.cluster = cluster;
    this.time = time;
    this.event = trial.find(CoreSettings.SERVER_EVENT).orElse("none");
    this.after = trial.find(CoreSettings.EVENT_AFTER).orElse(0.0);
    this.returnAfter = trial.find(CoreSettings.RETURN_AFTER).orElse(0.0);
    this.departs = !event.equals("none") && !event.equals("join");
    this.there = List.copyOf(cluster.everyone());
    this.begin = time.nanoTime();
    if (!event.equals("none")) {
      requirePossible(trial.get(CoreSettings.MEASURE));
    }
  }

  private boolean returns() {
    return departs && returnAfter > 0;
  }

  private void requirePossible(double measure) {
    if (!departs || returns()) {
      cluster.spec().requireElastic();
    }
    if (departs && cluster.nodes().size() < 2) {
      throw WorkerException.refused("coordinator.last-server", event);
    }
    if (Math.max(after, returnAfter) >= measure) {
      throw WorkerException.refused("coordinator.late-event", measure);
    }
    if (returns() && returnAfter <= after) {
      throw WorkerException.refused("coordinator.early-return");
    }
  }

  void at(double secondsIntoTheMeasuredPart) {
    if (departs && begun.isEmpty() && secondsIntoTheMeasuredPart >= after) {
      ManagedProcess last = cluster.nodes().get(cluster.nodes().size() - 1);
      ofGone = Optional.of(ProcessUsage.of(List.of(last)));
      gone = Optional.of(last);
      happens(event);
      if (event.equals("kill")) {
        last.kill();
        last.awaitEnd(Timeouts.STOP);
      }
      beginBeside(() -> depart(last));
    }
    boolean comes =
        departs
            ? returns()
                && secondsIntoTheMeasuredPart >= returnAfter
                && begun.size() == 1
                && begun.get(0).isDone()
            : event.equals("join") && secondsIntoTheMeasuredPart >= after && begun.isEmpty();
    if (comes) {
      happens(departs ? "return" : "join");
      int index = cluster.nodes().size() - (departs ? 1 : 0);
      beginBeside(() -> come(index));
    }
    begun.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(ServerEvent::join);
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

  private void beginBeside(Runnable what) {
    begun.add(CompletableFuture.runAsync(what, time::beside));
  }

  private void happens(String what) {
    times.put(what, time.secondsSince(begin));
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
  void await() {
    begun.forEach(ServerEvent::join);
  }

  /** The server that left or was killed; nobody misses it. */
  Optional<ManagedProcess> gone() {
    return gone;
  }

  /**
   * Usage of all processes since, those that left or joined among them. What a server used while it
   * left, or while it has not joined yet, is not known.
   */
  ProcessUsage usedSince(ProcessUsage before) {
    List<ManagedProcess> stayed =
        there.stream()
            .filter(process -> process.alive() && !gone.equals(Optional.of(process)))
            .toList();
    Map<String, Answer.Used> all = new TreeMap<>(cluster.usage(stayed).since(before).byProcess());
    ofGone.ifPresent(used -> all.putAll(used.since(before).byProcess()));
    // The machine of one that joined is read by those that were there from the beginning.
    ProcessUsage.of(joined.filter(ManagedProcess::alive).stream().toList())
        .byProcess()
        .forEach(
            (name, used) ->
                all.put(name + "-later", used.since(Answer.Used.nothing(used.machine()))));
    return new ProcessUsage(all);
  }

  /** When what happened, seconds from the start of the measured part. */
  Map<String, Metric> metrics() {
    Map<String, Metric> metrics = new TreeMap<>();
    times.forEach(
        (what, seconds) -> metrics.put(Metric.SERVER_EVENT + what, Metric.neutral(seconds, "s")));
    return metrics;
  }
}
