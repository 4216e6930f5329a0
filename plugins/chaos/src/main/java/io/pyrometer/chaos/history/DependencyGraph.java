package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Anomaly.AnomalyType;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A direct serialization graph: which transactions must precede which, why, and its cycles. */
final class DependencyGraph {

  /** Why one transaction precedes another. */
  enum Reason {
    /** It wrote the version that the other replaced. */
    WW(Messages.format("chaos.edge-ww")),
    /** It wrote the version that the other read. */
    WR(Messages.format("chaos.edge-wr")),
    /** It read the version that the other replaced. */
    RW(Messages.format("chaos.edge-rw")),
    /** It ended before the other began. */
    TIME("%1$s ended before %2$s began");

    private final String sentence;

    Reason(String sentence) {
      this.sentence = sentence;
    }
  }

  /** {@code key} is nil for an edge of time. */
  record Edge(int from, int to, Reason reason, Object key) {
    String describe() {
      return reason.sentence.formatted("T" + from, "T" + to, key);
    }
  }

  private final List<Map<Integer, Map<Reason, Edge>>> edges = new ArrayList<>();
  private final List<Transaction> transactions;
  private final List<Anomaly> found = new ArrayList<>();
  private boolean bounded;

  DependencyGraph(List<Transaction> transactions) {
    this.transactions = transactions;
    transactions.forEach(each -> edges.add(new LinkedHashMap<>()));
  }

  List<Transaction> transactions() {
    return transactions;
  }

  void add(Transaction from, Transaction to, Reason reason, Object key) {
    if (from.index() != to.index()) {
      edges
          .get(from.index())
          .computeIfAbsent(to.index(), index -> new LinkedHashMap<>())
          .putIfAbsent(reason, new Edge(from.index(), to.index(), reason, key));
    }
  }

  /** All edges that leave a transaction. */
  private List<Edge> from(int index) {
    return edges.get(index).values().stream().flatMap(by -> by.values().stream()).toList();
  }

  /**
   * Adds the order of time between transactions, without those edges that follow from others: each
   * transaction has an edge from the latest ended ones only.
   */
  private void addRealTime() {
    List<Transaction> byEnd =
        transactions.stream()
            .filter(Transaction::ok)
            .sorted(Comparator.comparingLong(each -> each.call().completed()))
            .toList();
    List<Transaction> byStart =
        transactions.stream()
            .filter(each -> !each.failed())
            .sorted(Comparator.comparingLong(each -> each.call().invoked()))
            .toList();
    List<Transaction> frontier = new ArrayList<>();
    int ended = 0;
    for (Transaction each : byStart) {
      while (ended < byEnd.size() && byEnd.get(ended).call().completed() < each.call().invoked()) {
        Transaction end = byEnd.get(ended++);
        frontier.removeIf(earlier -> earlier.call().completed() < end.call().invoked());
        frontier.add(end);
      }
      frontier.forEach(earlier -> add(earlier, each, Reason.TIME, Operation.NIL));
    }
  }

  /** Returns whether the budget was too small for the whole search. */
  boolean bounded() {
    return bounded;
  }

  /**
   * Finds cycles by type: in each strongly connected component the shortest cycle of each type that
   * begins with the first edge for which there is one.
   *
   * @param realTime whether a transaction that begins after another has ended follows it
   */
  List<Anomaly> cycles(boolean realTime, Budget budget) {
    search(AnomalyType.G0, EnumSet.of(Reason.WW), budget);
    search(AnomalyType.G1C, EnumSet.of(Reason.WW, Reason.WR), budget);
    search(AnomalyType.G_SINGLE, EnumSet.of(Reason.WW, Reason.WR, Reason.RW), budget);
    if (realTime) {
      addRealTime();
      Set<AnomalyType> known = EnumSet.noneOf(AnomalyType.class);
      found.forEach(anomaly -> known.add(anomaly.type()));
      searchUnlessIn(known, AnomalyType.G0, EnumSet.of(Reason.TIME, Reason.WW), budget);
      searchUnlessIn(known, AnomalyType.G1C, EnumSet.complementOf(EnumSet.of(Reason.RW)), budget);
      searchUnlessIn(known, AnomalyType.G_SINGLE, EnumSet.allOf(Reason.class), budget);
    }
    return found;
  }

  private void searchUnlessIn(
      Set<AnomalyType> known, AnomalyType type, Set<Reason> reasons, Budget budget) {
    if (!known.contains(type)) {
      search(type, reasons, budget);
    }
  }

  private void search(AnomalyType type, Set<Reason> reasons, Budget budget) {
    for (Set<Integer> members : components(reasons)) {
      if (type != AnomalyType.G_SINGLE) {
        Reason first = type == AnomalyType.G0 ? Reason.WW : Reason.WR;
        boolean unused = report(type, members, first, reasons, false, budget);
        continue;
      }
      Set<Reason> others = EnumSet.copyOf(reasons);
      others.remove(Reason.RW);
      if (!report(type, members, Reason.RW, others, false, budget)
          && !report(AnomalyType.G_NONADJACENT, members, Reason.RW, reasons, true, budget)) {
        boolean unused = report(AnomalyType.G2, members, Reason.RW, reasons, false, budget);
      }
    }
  }

  /**
   * Reports the shortest cycle that begins with the first edge for which there is one.
   *
   * @param first reason of the first edge
   * @param then reasons of the others
   * @param alternates whether edges of the reason RW must not follow one another
   */
  private boolean report(
      AnomalyType type,
      Set<Integer> members,
      Reason first,
      Set<Reason> then,
      boolean alternates,
      Budget budget) {
    for (int member : members) {
      for (Edge edge : from(member)) {
        if (edge.reason() == first && members.contains(edge.to())) {
          List<Edge> cycle = cycle(edge, members, then, alternates, budget);
          if (!cycle.isEmpty()) {
            found.add(
                new Anomaly(
                    type,
                    cycle.stream().map(each -> transactions.get(each.from())).distinct().toList(),
                    cycle.stream().map(Edge::describe).collect(Collectors.joining("; ")) + "."));
            return true;
          }
        }
      }
    }
    return false;
  }

  /** A transaction on a path, and whether it was reached by an edge of the reason RW. */
  private record Place(int transaction, boolean replaced) {}

  /** A path by its last edge. */
  private record Path(Edge last, Optional<Path> before) {
    List<Edge> edges() {
      List<Edge> all = new ArrayList<>(List.of(last));
      for (Optional<Path> each = before; each.isPresent(); each = each.get().before) {
        all.add(0, each.get().last);
      }
      return all;
    }
  }

  /** The shortest cycle that begins with an edge; empty if there is none. */
  private List<Edge> cycle(
      Edge first, Set<Integer> members, Set<Reason> reasons, boolean alternates, Budget budget) {
    Set<Place> reached = new HashSet<>(Set.of(new Place(first.to(), alternates)));
    Deque<Path> queue = new ArrayDeque<>(List.of(new Path(first, Optional.empty())));
    while (!queue.isEmpty()) {
      Path path = queue.poll();
      for (Edge edge : from(path.last.to)) {
        boolean replaced = alternates && edge.reason() == Reason.RW;
        if (!reasons.contains(edge.reason())
            || !members.contains(edge.to())
            || (replaced && path.last.reason() == Reason.RW)
            || !reached.add(new Place(edge.to(), replaced))) {
          continue;
        }
        Path longer = new Path(edge, Optional.of(path));
        if (edge.to() == first.from() && !replaced) {
          return longer.edges();
        }
        queue.add(longer);
      }
      bounded |= budget.spent();
      if (bounded) {
        return List.of();
      }
    }
    return List.of();
  }

  /** A transaction that a search has visited. */
  private static final class Visited {
    private final int index;
    private final int order;
    private final Iterator<Integer> successors;
    private int low;
    private boolean open = true;

    Visited(int index, int order, Iterator<Integer> successors) {
      this.index = index;
      this.order = order;
      this.low = order;
      this.successors = successors;
    }
  }

  /**
   * The strongly connected components by edges of some reasons (Tarjan 1972), without recursion:
   * those of at least two members, which are those with cycles, as no member precedes itself.
   */
  private List<Set<Integer>> components(Set<Reason> reasons) {
    List<Set<Integer>> components = new ArrayList<>();
    Map<Integer, Visited> visited = new HashMap<>();
    Deque<Visited> open = new ArrayDeque<>();
    Deque<Visited> path = new ArrayDeque<>();
    for (int root = 0; root < edges.size(); root++) {
      int next = root;
      do {
        Visited known = visited.get(next);
        if (known == null) {
          known = new Visited(next, visited.size(), successors(next, reasons));
          visited.put(next, known);
          open.push(known);
          path.push(known);
        } else if (known.open && !path.isEmpty()) {
          path.element().low = Math.min(path.element().low, known.order);
        }
        while (!path.isEmpty() && !path.element().successors.hasNext()) {
          Visited left = path.pop();
          if (!path.isEmpty()) {
            path.element().low = Math.min(path.element().low, left.low);
          }
          if (left.low == left.order) {
            Set<Integer> members = closed(left, open);
            if (members.size() > 1) {
              components.add(members);
            }
          }
        }
        next = path.isEmpty() ? root : path.element().successors.next();
      } while (!path.isEmpty());
    }
    return components;
  }

  private Iterator<Integer> successors(int index, Set<Reason> reasons) {
    return from(index).stream()
        .filter(edge -> reasons.contains(edge.reason()))
        .map(Edge::to)
        .distinct()
        .iterator();
  }

  private static Set<Integer> closed(Visited first, Deque<Visited> open) {
    Set<Integer> members = new TreeSet<>();
    while (first.open) {
      Visited member = open.pop();
      member.open = false;
      members.add(member.index);
    }
    return members;
  }
}
