package io.pyrometer.analysis.latency;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hipparchus.util.MathArrays;

/**
 * A test of whether slow calls coincide with events, such as pauses, more often than by chance.
 * Chance is what shifting all events of a trial by one random time gives, circularly, in either
 * direction by at most {@value #REACH} times the mean length of an event and a call: this keeps how
 * long calls and events last, how they cluster and how both go with time, so that neither a long
 * call nor a burst of calls that wait for the same thing is evidence by itself. Trials are shifted
 * independently of each other.
 *
 * @param share of the slow calls that overlap an event, 0…1
 * @param byChance the mean of that share over all shifts
 * @param p the probability of at least this share under the shifts; 1 where there is no event
 * @param lift {@code share} by {@code byChance}, with an interval from at least {@value #MIN_CELLS}
 *     seconds with slow calls; empty where no overlap is expected
 * @param overlapping for each trial and slow call, whether it overlaps an event
 */
public record EventOverlap(
    double share, double byChance, double p, Optional<Estimate> lift, List<boolean[]> overlapping) {
  /**
   * Events are shifted by at most so many times the length of an event and a call. More would count
   * as evidence that both become rarer while code warms up; with less, one event in one trial would
   * be no evidence, as its p is not below the inverse.
   */
  private static final double REACH = 50;

  /** At so many shifts of each trial the overlapping calls are counted. */
  private static final int SHIFTS = 10_000;

  /** The shares of the trials are rounded to this part before they are added up. */
  private static final int LEVELS = 200;

  /** Slow calls of the same second may have one cause: it is the unit of the interval. */
  private static final double CELL_SECONDS = 1;

  private static final int MIN_CELLS = 5;

  /** A time in seconds since the begin of the measured part. */
  public record Span(double begin, double end) {}

  /**
   * One trial.
   *
   * @param seconds how long its measured part was; calls and events are cut at its begin and end
   */
  public record Trial(double seconds, List<Span> slowCalls, List<Span> events) {}

  /**
   * Compares.
   *
   * @throws BadDataException if there are no slow calls
   */
  public static EventOverlap of(List<Trial> trials) {
    List<boolean[]> overlapping = new ArrayList<>();
    Map<Integer, Cell> cells = new TreeMap<>();
    double[] sums = {1};
    int observed = 0;
    int firstCell = 0;
    for (Trial trial : trials) {
      Shifts shifts = new Shifts(trial);
      overlapping.add(shifts.overlapping);
      int overlaps = 0;
      for (int i = 0; i < shifts.calls.size(); i++) {
        int cell = firstCell + (int) (shifts.calls.get(i).begin() / CELL_SECONDS);
        int one = shifts.overlapping[i] ? 1 : 0;
        cells.merge(cell, new Cell(1, one, shifts.covered[i]), Cell::plus);
        overlaps += one;
      }
      firstCell += 1 + (int) (trial.seconds() / CELL_SECONDS);
      if (!shifts.calls.isEmpty()) {
        sums = MathArrays.convolve(sums, shifts.distribution());
        observed += shifts.level(overlaps);
      }
    }
    Cell all = cells.values().stream().reduce(new Cell(0, 0, 0), Cell::plus);
    if (all.calls == 0) {
      throw new BadDataException("No slow call was recorded, so that none has a cause.");
    }
    return new EventOverlap(
        all.overlapping / all.calls,
        all.expected / all.calls,
        Math.min(1, Arrays.stream(sums).skip(observed).sum()),
        lift(all, List.copyOf(cells.values())),
        overlapping);
  }

  /** The slow calls of one second, or of all. */
  private record Cell(double calls, double overlapping, double expected) {
    Cell plus(Cell other) {
      return new Cell(
          calls + other.calls, overlapping + other.overlapping, expected + other.expected);
    }
  }

  /** A ratio estimator over clusters (Cochran, Sampling Techniques, 1977, 6.3), on a log scale. */
  private static Optional<Estimate> lift(Cell all, List<Cell> cells) {
    if (all.expected == 0) {
      return Optional.empty();
    }
    double ratio = all.overlapping / all.expected;
    int n = cells.size();
    if (n < MIN_CELLS || ratio == 0) {
      return Optional.of(Estimate.unreplicated(ratio, ""));
    }
    double squares =
        cells.stream().mapToDouble(c -> Math.pow(c.overlapping - ratio * c.expected, 2)).sum();
    double relative = Math.sqrt(squares * n / (n - 1.0)) / all.overlapping;
    double factor = Math.exp(StudentT.twoSided(Estimate.CONFIDENCE, n - 1.0) * relative);
    return Optional.of(
        new Estimate(ratio, ratio / factor, ratio * factor, Estimate.CONFIDENCE, n, ""));
  }

  /** For every shift of the events of one trial, how many of its slow calls overlap one. */
  private static final class Shifts {
    private final double seconds;

    /** The largest shift in either direction, seconds. */
    private final double reach;

    private final List<Span> calls;
    private final List<Span> events;
    private final boolean[] overlapping;

    /** The part of all shifts at which each call overlaps an event. */
    private final double[] covered;

    /** The number of further calls that overlap at a shift than at the one before. */
    private final int[] steps = new int[SHIFTS + 1];

    Shifts(Trial trial) {
      this.seconds = trial.seconds();
      this.calls = trial.slowCalls().stream().map(this::cut).toList();
      this.events = twice(disjoint(trial.events()));
      double length = meanLength(calls) + meanLength(events);
      this.reach = length > 0 ? Math.min(seconds / 2, REACH * length) : seconds / 2;
      this.overlapping = new boolean[calls.size()];
      this.covered = new double[calls.size()];
      for (int i = 0; i < calls.size(); i++) {
        add(i);
      }
    }

    private Span cut(Span span) {
      return new Span(
          Math.min(Math.max(0, span.begin()), seconds), Math.min(Math.max(0, span.end()), seconds));
    }

    private List<Span> disjoint(List<Span> spans) {
      List<Span> merged = new ArrayList<>();
      spans.stream()
          .filter(span -> span.end() >= 0 && span.begin() <= seconds)
          .map(this::cut)
          .sorted(Comparator.comparingDouble(Span::begin))
          .forEach(
              span -> {
                int last = merged.size() - 1;
                if (last >= 0 && merged.get(last).end() >= span.begin()) {
                  Span before = merged.get(last);
                  merged.set(last, new Span(before.begin(), Math.max(before.end(), span.end())));
                } else {
                  merged.add(span);
                }
              });
      return merged;
    }

    /** From the last to the first, and then again a circle earlier. */
    private List<Span> twice(List<Span> spans) {
      List<Span> all = new ArrayList<>();
      for (double back : new double[] {0, seconds}) {
        for (int i = spans.size() - 1; i >= 0; i--) {
          all.add(new Span(spans.get(i).begin() - back, spans.get(i).end() - back));
        }
      }
      return all;
    }

    /** The shifts at which the call overlaps, as disjoint ascending spans. */
    private void add(int i) {
      Span call = calls.get(i);
      double from = 0;
      double to = -1;
      for (Span event : events) {
        double first = Math.max(0, call.begin() - event.end());
        double last = Math.min(seconds, call.end() - event.begin());
        if (first > last) {
          continue;
        }
        if (first > to) {
          add(i, from, to);
          from = first;
        }
        to = Math.max(to, last);
      }
      add(i, from, to);
    }

    private void add(int i, double from, double to) {
      if (to >= from) {
        overlapping[i] |= from == 0;
        count(i, from, Math.min(to, reach), SHIFTS);
        // A whole circle is no shift, which is counted above.
        count(i, Math.max(from, seconds - reach) - seconds, to - seconds, SHIFTS / 2);
      }
    }

    /**
     * Counts shifts within the reach, from its negative to its positive.
     *
     * @param before where to stop, of all shifts
     */
    private void count(int i, double from, double to, int before) {
      if (to >= from) {
        covered[i] += (to - from) / (2 * reach);
        int first = (int) Math.ceil((from + reach) / (2 * reach) * SHIFTS);
        int last = Math.min(before - 1, (int) Math.floor((to + reach) / (2 * reach) * SHIFTS));
        if (first <= last) {
          steps[first]++;
          steps[last + 1]--;
        }
      }
    }

    private static double meanLength(List<Span> spans) {
      return spans.stream().mapToDouble(span -> span.end() - span.begin()).average().orElse(0);
    }

    int level(int count) {
      return (int) Math.round((double) LEVELS * count / calls.size());
    }

    /** The probability of each level under the shifts. */
    double[] distribution() {
      double[] distribution = new double[LEVELS + 1];
      int count = 0;
      for (int shift : Arrays.copyOf(steps, SHIFTS)) {
        count += shift;
        distribution[level(count)] += 1.0 / SHIFTS;
      }
      return distribution;
    }
  }
}
