package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The lanes of each primary node, and the lane of each partition. */
final class Lanes {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  private static final int ONE_NODE_LANES = 4;

  private final Context context;
  private List<?> primaries;
  private volatile List<Lane> byPartition = List.of();
  private volatile List<Lane> all = List.of(); // also those of other nodes that still send

  Lanes(Context context) {
    this.context = context;
    this.primaries = context.port.primaries();
    assign();
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

  /** Gives partitions that have moved, and what waits for them, to the lanes of their nodes. */
  void follow() {
    try {
      List<?> next = context.port.primaries();
      if (!next.equals(primaries) && next.size() == partitions()) {
        primaries = next;
        assign();
        context.counters.moves.increment();
      }
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.DEBUG, "the topology could not be read; it is read again soon", e);
    }
  }

  private void assign() {
    Map<Object, List<Integer>> nodes = new LinkedHashMap<>();
    for (int i = 0; i < primaries.size(); i++) {
      nodes.computeIfAbsent(primaries.get(i), node -> new ArrayList<>()).add(i);
    }
    List<Lane> old = new ArrayList<>(all);
    List<Lane> now = new ArrayList<>();
    Lane[] lanes = new Lane[primaries.size()];
    nodes.forEach(
        (node, partitions) -> {
          List<Lane> ofNode = lanesOf(node, old, nodes.size());
          old.removeAll(ofNode);
          now.addAll(ofNode);
          for (int i = 0; i < partitions.size(); i++) {
            lanes[partitions.get(i)] =
                ofNode.get((int) ((long) i * ofNode.size() / partitions.size()));
          }
        });
    byPartition = List.of(lanes);
    now.forEach(lane -> lane.retire(false));
    old.forEach(lane -> lane.retire(true));
    now.addAll(old);
    all = now;
    now.stream()
        .flatMap(lane -> lane.evict(this).stream())
        .forEach(write -> of(write.key.partition).add(write, true));
    all = now.stream().filter(lane -> !lane.isRetired()).collect(Collectors.toList());
  }

  /** The lanes that a node has, or new ones. */
  private List<Lane> lanesOf(Object node, List<Lane> old, int nodes) {
    List<Lane> lanes = new ArrayList<>();
    old.stream().filter(lane -> lane.node.equals(node)).forEach(lanes::add);
    Budget.Share share = context.budget.share(node, nodes);
    int standard = nodes == 1 ? ONE_NODE_LANES : IgniteWriterBuilder.NODE_LANES;
    int count = context.settings.lanes == 0 ? standard : context.settings.lanes;
    while (lanes.size() < count) {
      lanes.add(new Lane(context, node, share));
    }
    return lanes;
  }
}
