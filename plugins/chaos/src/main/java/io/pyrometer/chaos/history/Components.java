package io.pyrometer.chaos.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Strongly connected components of a graph (Tarjan 1972), without recursion. */
final class Components {
  private final int[][] successors;
  private final int[] order;
  private final int[] low;
  private final int[] nextEdge;
  private final boolean[] open;
  private final Deque<Integer> component = new ArrayDeque<>();
  private final List<int[]> found = new ArrayList<>();
  private int count;

  private Components(int[][] successors) {
    this.successors = successors;
    order = new int[successors.length];
    low = new int[successors.length];
    nextEdge = new int[successors.length];
    open = new boolean[successors.length];
    Arrays.fill(order, -1);
  }

  /**
   * The components of at least two members, which are those with cycles: no member precedes itself.
   */
  static List<int[]> of(int[][] successors) {
    Components search = new Components(successors);
    for (int i = 0; i < successors.length; i++) {
      if (search.order[i] < 0) {
        search.visit(i);
      }
    }
    return search.found;
  }

  private void visit(int root) {
    Deque<Integer> path = new ArrayDeque<>();
    enter(root, path);
    while (!path.isEmpty()) {
      int at = path.peek();
      if (nextEdge[at] < successors[at].length) {
        int to = successors[at][nextEdge[at]++];
        if (order[to] < 0) {
          enter(to, path);
        } else if (open[to]) {
          low[at] = Math.min(low[at], order[to]);
        }
      } else {
        int left = path.pop();
        if (!path.isEmpty()) {
          low[path.peek()] = Math.min(low[path.peek()], low[left]);
        }
        close(left);
      }
    }
  }

  private void enter(int at, Deque<Integer> path) {
    order[at] = count;
    low[at] = count++;
    open[at] = true;
    component.push(at);
    path.push(at);
  }

  private void close(int at) {
    if (low[at] != order[at]) {
      return;
    }
    List<Integer> members = new ArrayList<>();
    int member;
    do {
      member = component.pop();
      open[member] = false;
      members.add(member);
    } while (member != at);
    if (members.size() > 1) {
      found.add(members.stream().mapToInt(Integer::intValue).sorted().toArray());
    }
  }
}
