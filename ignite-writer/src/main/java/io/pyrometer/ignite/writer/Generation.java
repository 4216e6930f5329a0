package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The lanes for one placement of the partitions. When partitions move, a new generation takes the
 * writes at once, but each of its lanes holds them until every write of the lanes that its
 * partitions come from is acknowledged: so a key is never under way in two lanes.
 */
final class Generation {
  private final Placement placement;
  private final int[] laneOfPartition;
  private final List<Lane> lanes;
  private final CompletableFuture<Void> predecessorDrained;
  private volatile boolean started;

  /** Prepares the lanes; none sends before {@link #start}. */
  Generation(Context context, Placement placement, CompletableFuture<Void> predecessorDrained) {
    Settings settings = context.settings();
    int count = placement.nodes() * settings.lanesPerNode;
    this.placement = placement;
    this.laneOfPartition = placement.lanes(settings.lanesPerNode);
    this.predecessorDrained = predecessorDrained;
    this.lanes = new ArrayList<>(count);
    List<Object> nodes = placement.primaries();
    for (int lane = 0; lane < count; lane++) {
      Object node = nodes.get(lane / settings.lanesPerNode);
      lanes.add(new Lane(context, node, settings.share(nodes.size())));
    }
  }

  /** Lets each lane send as soon as those of the predecessor are drained that it succeeds. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void start(@Nullable Generation predecessor) {
    List<CompletableFuture<Void>> begun = new ArrayList<>();
    for (int lane = 0; lane < lanes.size(); lane++) {
      Lane next = lanes.get(lane);
      List<CompletableFuture<Void>> before =
          predecessor == null
              ? List.of()
              : sources(lane, predecessor).stream().map(Lane::drained).toList();
      begun.add(all(before).thenRun(next::release));
    }
    all(begun).thenRun(() -> started = true);
  }

  private Set<Lane> sources(int lane, Generation predecessor) {
    Set<Lane> sources = new LinkedHashSet<>();
    for (int partition = 0; partition < laneOfPartition.length; partition++) {
      if (laneOfPartition[partition] == lane) {
        sources.add(predecessor.lane(partition));
      }
    }
    return sources;
  }

  Lane lane(int partition) {
    return lanes.get(laneOfPartition[partition]);
  }

  boolean matches(Placement other) {
    return placement.equals(other);
  }

  /** Whether no lane waits for the predecessor any longer. */
  boolean hasStarted() {
    return started;
  }

  void hurry() {
    lanes.forEach(Lane::hurry);
  }

  void expire(long limit) {
    lanes.forEach(lane -> lane.expire(limit));
  }

  /** Sends what is here, and hands over the writes that are not settled. */
  List<Wave> closeWaves() {
    return lanes.stream().flatMap(lane -> Optional.ofNullable(lane.closeWave()).stream()).toList();
  }

  /** Completes when everything that was taken, by the predecessor too, is settled. */
  CompletableFuture<Void> drained() {
    return CompletableFuture.allOf(
        predecessorDrained, all(lanes.stream().map(Lane::drained).toList()));
  }

  /** Takes no more writes. */
  void seal() {
    lanes.forEach(Lane::seal);
  }

  void abandon(PendingWrite.Failure failure) {
    lanes.forEach(lane -> lane.abandon(failure));
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Void>> parts) {
    return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new));
  }
}
