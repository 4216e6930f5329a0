package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The lanes for one placement of the partitions. When partitions move, a new generation takes the
 * writes at once but holds them until every write of the old one is acknowledged: so a key is never
 * under way in two lanes.
 */
final class Generation<K, V> {
  private final Placement placement;
  private final int[] laneOfPartition;
  private final List<Lane<K, V>> lanes;
  private final CompletableFuture<Void> predecessorDrained;

  Generation(Workshop<K, V> shop, Placement placement, CompletableFuture<Void> predecessorDrained) {
    Settings<K, V> settings = shop.settings();
    int count = placement.nodes() * settings.lanesPerNode();
    this.placement = placement;
    this.laneOfPartition = placement.lanes(settings.lanesPerNode());
    this.predecessorDrained = predecessorDrained;
    this.lanes = new ArrayList<>(count);
    for (int lane = 0; lane < count; lane++) {
      lanes.add(new Lane<>(shop, settings.batchSize(count)));
    }
  }

  /** Lets the lanes send as soon as the predecessor is drained. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void startAfterPredecessor() {
    predecessorDrained.thenRun(() -> lanes.forEach(Lane::release));
  }

  Lane<K, V> lane(int partition) {
    return lanes.get(laneOfPartition[partition]);
  }

  boolean matches(Placement other) {
    return placement.equals(other);
  }

  boolean hasStarted() {
    return predecessorDrained.isDone();
  }

  void hurry() {
    lanes.forEach(Lane::hurry);
  }

  CompletableFuture<Void> flushed() {
    return CompletableFuture.allOf(
        predecessorDrained, all(lanes.stream().map(Lane::flushed).toList()));
  }

  /** Takes no more writes; completes when all that were taken are acknowledged or have failed. */
  CompletableFuture<Void> seal() {
    return all(lanes.stream().map(Lane::seal).toList());
  }

  void abandon(Throwable cause) {
    lanes.forEach(lane -> lane.abandon(cause));
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Void>> parts) {
    return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new));
  }
}
