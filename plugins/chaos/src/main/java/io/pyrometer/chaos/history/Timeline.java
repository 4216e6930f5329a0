package io.pyrometer.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A few operations as text, one a line by invocation, with the faults that they overlap. The
 * columns are instants in order, not to scale: which of two came first is what matters.
 */
public final class Timeline {
  private static final int COLUMN = 2;
  private static final int MAX_LABEL = 44;

  private Timeline() {}

  /**
   * Fault that was made in the grid.
   *
   * @param from ns, by the clock of the operations
   * @param to {@link Operation#NEVER} where it did not end
   */
  public record Fault(String name, long from, long to) {

    /** Returns whether it lasted during any part of an operation. */
    public boolean overlaps(List<Operation> operations) {
      return operations.stream()
          .anyMatch(
              each -> each.invoked() <= to && each.completed() >= from && from <= end(operations));
    }

    private static long end(List<Operation> operations) {
      return operations.stream()
          .flatMap(each -> Stream.of(each.invoked(), each.completed()))
          .filter(time -> time != Operation.NEVER)
          .mapToLong(Long::longValue)
          .max()
          .orElse(0);
    }
  }

  private record Line(String label, long from, long to, char drawn) {}

  /**
   * Draws operations, times in seconds since {@code start}.
   *
   * @param label of an operation
   */
  public static String draw(
      List<Operation> operations,
      Function<Operation, String> label,
      List<Fault> faults,
      long start) {
    List<Line> lines = new ArrayList<>();
    for (Operation each : operations) {
      lines.add(new Line(label.apply(each), each.invoked(), each.completed(), '─'));
    }
    faults.stream()
        .filter(fault -> fault.overlaps(operations))
        .forEach(
            fault -> lines.add(new Line("fault: " + fault.name(), fault.from(), fault.to(), '░')));
    lines.sort(Comparator.comparingLong(Line::from));
    TreeSet<Long> instants = new TreeSet<>();
    lines.forEach(line -> instants.addAll(List.of(line.from(), line.to())));
    int width =
        Math.min(MAX_LABEL, lines.stream().mapToInt(line -> line.label().length()).max().orElse(0));
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      int from = COLUMN * instants.headSet(line.from()).size();
      int to = COLUMN * instants.headSet(line.to()).size();
      boolean ends = line.to() != Operation.NEVER;
      text.append(
          String.format(
                  Locale.ROOT,
                  "%9.4f s  %-" + width + "s  %s%s%s%s",
                  (line.from() - start) / 1e9,
                  line.label(),
                  " ".repeat(from),
                  '├',
                  String.valueOf(line.drawn()).repeat(Math.max(1, to - from - 1)),
                  ends ? "┤" : "┄")
              .stripTrailing());
      text.append('\n');
    }
    return text.toString();
  }
}
