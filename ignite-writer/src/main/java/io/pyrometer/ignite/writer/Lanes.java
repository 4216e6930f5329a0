package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The lanes of each primary node, and the lane of each partition. */
final class Lanes {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  private final Context context;
  private Placement placement;
  private volatile List<Lane> byPartition = List.of();

  /** The lanes of the primary nodes, and those of other nodes that still send. */
  private volatile List<Lane> all = List.of();

  Lanes(Context context) {
    this.context = context;
    this.placement = context.port().placement();
    assign(placement);
  }

  /** The number of partitions, which never changes. */
  int partitions() {
    return byPartition.size();
  }

  Lane of(int partition) {
    return byPartition.get(partition);
  }

  /** Sends what was accepted without waiting for more. */
  void hurry() {
    all.forEach(Lane::hurry);
  }

  void tick() {
    all.forEach(Lane::tick);
  }

  /** The last failure of a call of a lane none of whose calls has succeeded since. */
  @Nullable Throwable lastError() {
    return all.stream().map(Lane::lastError).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** Gives partitions that have moved, and what waits for them, to the lanes of their nodes. */
  void follow() {
    try {
      Placement next = context.port().placement();
      if (!next.equals(placement) && next.owners().size() == partitions()) {
        assign(next);
        placement = next;
        context.counters().moves.increment();
      }
    } catch (RuntimeException e) {
      LOG.log(Logger.Level.DEBUG, "the topology could not be read; it is read again soon", e);
    }
  }

  private void assign(Placement next) {
    Settings settings = context.settings();
    Map<Object, List<Integer>> nodes = next.byPrimary();
    long most = settings.maxPendingEntries / (nodes.size() == 1 ? 1 : 2);
    List<Lane> old = new ArrayList<>(all);
    List<Lane> now = new ArrayList<>();
    Lane[] lanes = new Lane[next.owners().size()];
    nodes.forEach(
        (node, partitions) -> {
          List<Lane> ofNode =
              new ArrayList<>(old.stream().filter(lane -> lane.node().equals(node)).toList());
          old.removeAll(ofNode);
          Budget.Share share = ofNode.isEmpty() ? context.budget().share() : ofNode.get(0).share();
          share.resize(Math.max(1, most));
          while (ofNode.size() < settings.lanesPerNode) {
            ofNode.add(new Lane(context, node, share));
          }
          ofNode.forEach(lane -> lane.retire(false));
          now.addAll(ofNode);
          for (int i = 0; i < partitions.size(); i++) {
            lanes[partitions.get(i)] =
                ofNode.get((int) ((long) i * settings.lanesPerNode / partitions.size()));
          }
        });
    byPartition = List.of(lanes);
    now.addAll(old);
    all = List.copyOf(now);
    old.forEach(lane -> lane.retire(true));
    now.stream()
        .flatMap(lane -> lane.evict(this).stream())
        .forEach(write -> of(write.partition).add(write, true));
    all = now.stream().filter(lane -> !lane.isRetired()).toList();
  }
}
