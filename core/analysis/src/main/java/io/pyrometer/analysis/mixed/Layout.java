package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.mixed.MixedModel.Grouping;
import io.pyrometer.analysis.mixed.TreatmentModel.Measurement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which treatments share runs and blocks, directly or by others, and so which random terms the data
 * can tell apart.
 */
final class Layout {
  private final List<Measurement> rows;
  private final Map<String, Integer> partByRuns;
  private final Map<String, Integer> partByBlocks;
  private final int runsToJudgeBy;
  private final long countBlocks;
  private final boolean runs;
  private final boolean blocks;
  private final boolean cells;

  /** Of each row, where some rows of a block share a start of processes and others do not. */
  private final Optional<Grouping> starts;

  Layout(List<Measurement> rows, List<String> treatments) {
    this.rows = rows;
    partByRuns = parts(treatments, Measurement::run);
    partByBlocks = parts(treatments, Measurement::place);
    long ofRuns = count(Measurement::run);
    countBlocks = count(Measurement::place);
    long ofCells = count(Measurement::cell);
    runsToJudgeBy = (int) (ofRuns - count(partByRuns));
    runs = runsToJudgeBy > 0 && ofRuns < rows.size();
    blocks =
        countBlocks - count(partByBlocks) > runsToJudgeBy
            && countBlocks < rows.size()
            && countBlocks > ofRuns;
    cells = ofCells < rows.size() && ofCells > treatments.size();
    starts =
        Optional.of(Grouping.of("start of processes", rows.stream().map(Layout::start).toList()))
            .filter(g -> g.groups() > countBlocks && g.groups() < ofCells);
  }

  private static List<String> start(Measurement row) {
    return List.of(row.place(), row.start().isEmpty() ? row.treatment() : "", row.start());
  }

  private long count(Function<Measurement, String> of) {
    return rows.stream().map(of).distinct().count();
  }

  private static long count(Map<String, Integer> parts) {
    return parts.values().stream().distinct().count();
  }

  /** Treatments that share places, directly or by others, have the same number. */
  private Map<String, Integer> parts(List<String> treatments, Function<Measurement, String> place) {
    Map<String, Integer> part = new HashMap<>();
    treatments.forEach(treatment -> part.put(treatment, part.size()));
    Map<String, Integer> ofPlace = new HashMap<>();
    for (boolean changed = true; changed; ) {
      changed = false;
      for (Measurement row : rows) {
        int own = part.getOrDefault(row.treatment(), 0);
        int least = Math.min(own, ofPlace.getOrDefault(place.apply(row), own));
        Integer before = ofPlace.put(place.apply(row), least);
        changed |= own != least || before == null || before != least;
        part.put(row.treatment(), least);
      }
    }
    return part;
  }

  long countBlocks() {
    return countBlocks;
  }

  /** Whether blocks are a term of their own. */
  boolean blocks() {
    return blocks;
  }

  /** How many runs more than needed to connect the treatments: degrees of freedom between runs. */
  int runsToJudgeBy() {
    return runsToJudgeBy;
  }

  /** The number of the part of treatments that share blocks. */
  int part(String treatment) {
    return partByBlocks.getOrDefault(treatment, 0);
  }

  boolean sideBySide(String baseline, String candidate) {
    return Objects.equals(partByBlocks.get(baseline), partByBlocks.get(candidate));
  }

  boolean shareRuns(String baseline, String candidate) {
    return Objects.equals(partByRuns.get(baseline), partByRuns.get(candidate));
  }

  /** The random terms; those of runs and blocks only if they are wanted. */
  List<Grouping> terms(boolean withBlocks) {
    List<Grouping> terms = new ArrayList<>();
    if (runs && withBlocks) {
      terms.add(Grouping.of("run", rows.stream().map(Measurement::run).toList()));
    }
    if (blocks && withBlocks) {
      terms.add(Grouping.of("block", rows.stream().map(Measurement::place).toList()));
    }
    terms.addAll(starts.stream().toList());
    if (cells) {
      terms.add(Grouping.of("treatment × block", rows.stream().map(Measurement::cell).toList()));
    }
    return terms;
  }
}
