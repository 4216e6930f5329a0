package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Dependencies.Edge;
import io.pyrometer.chaos.history.Dependencies.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Cycles of a graph of dependencies, by type: in each strongly connected component the shortest
 * cycle of each type that begins with the first edge for which there is one.
 */
final class CycleSearch {
  private final Dependencies dependencies;
  private final boolean realTime;
  private final Budget budget;
  private final List<Anomaly> found = new ArrayList<>();
  private boolean bounded;

  CycleSearch(Dependencies dependencies, boolean realTime, Budget budget) {
    this.dependencies = dependencies;
    this.realTime = realTime;
    this.budget = budget;
  }

  /** Whether the budget was too small for the whole search. */
  boolean bounded() {
    return bounded;
  }

  List<Anomaly> find() {
    search(Set.of(Reason.WW), AnomalyType.G0);
    search(Set.of(Reason.WW, Reason.WR), AnomalyType.G1C);
    search(EnumSet.of(Reason.WW, Reason.WR, Reason.RW), AnomalyType.G_SINGLE);
    if (realTime) {
      Set<AnomalyType> without = EnumSet.noneOf(AnomalyType.class);
      found.forEach(anomaly -> without.add(anomaly.type()));
      searchInTime(without, AnomalyType.G0, Reason.WW);
      searchInTime(without, AnomalyType.G1C, Reason.WW, Reason.WR);
      searchInTime(without, AnomalyType.G_SINGLE, Reason.WW, Reason.WR, Reason.RW);
    }
    return found;
  }

  private void searchInTime(Set<AnomalyType> known, AnomalyType type, Reason... reasons) {
    if (!known.contains(type)) {
      search(EnumSet.of(Reason.TIME, reasons), type);
    }
  }

  private void search(Set<Reason> reasons, AnomalyType type) {
    int[][] successors = new int[dependencies.size()][];
    for (int i = 0; i < successors.length; i++) {
      successors[i] =
          dependencies.from(i).stream()
              .filter(edge -> reasons.contains(edge.reason()))
              .mapToInt(Edge::to)
              .distinct()
              .toArray();
    }
    for (int[] component : Components.of(successors)) {
      search(Arrays.stream(component).boxed().collect(Collectors.toSet()), reasons, type);
    }
  }

  private void search(Set<Integer> members, Set<Reason> reasons, AnomalyType type) {
    Set<Reason> plain = EnumSet.copyOf(reasons);
    plain.remove(Reason.RW);
    if (type != AnomalyType.G_SINGLE) {
      Reason required = type == AnomalyType.G0 ? Reason.WW : Reason.WR;
      first(members, edge -> edge.reason() == required, reasons, Rule.ANY, type);
      return;
    }
    Predicate<Edge> replaced = edge -> edge.reason() == Reason.RW;
    if (!first(members, replaced, plain, Rule.ANY, type)
        && !first(members, replaced, reasons, Rule.NOT_ADJACENT, AnomalyType.G_NONADJACENT)) {
      first(members, replaced, reasons, Rule.ANY, AnomalyType.G2);
    }
  }

  /** Whether edges of the reason RW may follow one another. */
  private enum Rule {
    ANY,
    NOT_ADJACENT
  }

  private boolean first(
      Set<Integer> members, Predicate<Edge> begins, Set<Reason> then, Rule rule, AnomalyType type) {
    for (int member : members) {
      for (Edge edge : dependencies.from(member)) {
        if (begins.test(edge) && members.contains(edge.to())) {
          Optional<List<Edge>> back = path(edge, members, then, rule);
          if (back.isPresent()) {
            report(type, edge, back.get());
            return true;
          }
        }
      }
    }
    return false;
  }

  private void report(AnomalyType type, Edge first, List<Edge> rest) {
    List<Edge> cycle = new ArrayList<>(List.of(first));
    cycle.addAll(rest);
    Set<Transaction> involved = new LinkedHashSet<>();
    StringBuilder why = new StringBuilder();
    for (Edge edge : cycle) {
      involved.add(dependencies.transactions().get(edge.from()));
      why.append(why.isEmpty() ? "" : "; ").append(edge.describe());
    }
    found.add(new Anomaly(type, List.copyOf(involved), why.append('.').toString()));
  }

  /** A transaction on a path, and whether it was reached by an edge of the reason RW. */
  private record Place(int transaction, boolean replaced) {}

  /** The shortest path from the end of an edge to its beginning. */
  private Optional<List<Edge>> path(
      Edge first, Set<Integer> members, Set<Reason> reasons, Rule rule) {
    boolean alternates = rule == Rule.NOT_ADJACENT;
    Place start = new Place(first.to(), alternates);
    Map<Place, Edge> reachedBy = new HashMap<>();
    Map<Place, Place> before = new HashMap<>();
    Deque<Place> queue = new ArrayDeque<>(List.of(start));
    while (!queue.isEmpty()) {
      Place at = queue.poll();
      for (Edge edge : dependencies.from(at.transaction())) {
        boolean replaced = alternates && edge.reason() == Reason.RW;
        Place to = new Place(edge.to(), replaced);
        if (!reasons.contains(edge.reason())
            || !members.contains(edge.to())
            || (at.replaced() && replaced)
            || to.equals(start)
            || reachedBy.containsKey(to)) {
          continue;
        }
        reachedBy.put(to, edge);
        before.put(to, at);
        if (edge.to() == first.from() && !replaced) {
          List<Edge> edges = new ArrayList<>();
          for (Place place = to; !place.equals(start); ) {
            edges.add(0, Objects.requireNonNull(reachedBy.get(place)));
            place = Objects.requireNonNull(before.get(place));
          }
          return Optional.of(edges);
        }
        queue.add(to);
      }
      bounded |= budget.spent();
      if (bounded) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }
}
