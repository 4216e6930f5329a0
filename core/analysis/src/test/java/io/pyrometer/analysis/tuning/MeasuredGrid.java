package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.tuning.TuningSpace.Knob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A full grid that was measured: the {@code results.csv} of a run of {@code
 * lab/studies/tuning-grid.yaml}. The truth of a cell is the mean of its blocks, a measurement is
 * one of them, drawn: this is the grid's own noise, of which one block has none.
 *
 * @param cells by configuration the logarithms of the figure by block, negative where lower is
 *     better; none where a trial failed
 */
record MeasuredGrid(TuningSpace space, Map<List<Integer>, double[]> cells, Random random)
    implements Landscape {

  /**
   * The grid of each job.
   *
   * @param figure the column to tune for: {@code throughput}, or one of which less is better
   */
  static Map<String, MeasuredGrid> read(Path csv, String figure) throws IOException {
    List<List<String>> rows =
        Files.readAllLines(csv).stream().map(line -> List.of(line.split(",", -1))).toList();
    List<String> header = rows.get(0);
    List<Integer> knobs =
        IntStream.range(header.indexOf("job") + 1, header.indexOf("outcome")).boxed().toList();
    Map<String, List<List<String>>> byJob = new TreeMap<>();
    for (List<String> row : rows.subList(1, rows.size())) {
      if (row.get(header.indexOf("counts")).equals("true")) {
        byJob.computeIfAbsent(row.get(header.indexOf("job")), job -> new ArrayList<>()).add(row);
      }
    }
    Map<String, MeasuredGrid> grids = new TreeMap<>();
    byJob.forEach(
        (job, ofJob) -> {
          List<Integer> varied =
              knobs.stream()
                  .filter(k -> ofJob.stream().map(row -> row.get(k)).distinct().count() > 1)
                  .toList();
          grids.put(job, of(header, varied, ofJob, figure));
        });
    return grids;
  }

  private static MeasuredGrid of(
      List<String> header, List<Integer> columns, List<List<String>> rows, String figure) {
    int sign = figure.equals("throughput") ? 1 : -1;
    List<Knob> knobs = new ArrayList<>();
    List<List<String>> levels = new ArrayList<>();
    for (int column : columns) {
      List<String> own = rows.stream().map(row -> row.get(column)).distinct().toList();
      boolean ordered = own.stream().allMatch(each -> each.matches("\\d+"));
      levels.add(
          own.stream()
              .sorted(ordered ? Comparator.comparing(Integer::valueOf) : Comparator.naturalOrder())
              .toList());
      knobs.add(new Knob(header.get(column), own.size(), ordered, 0, Optional.empty()));
    }
    Map<List<Integer>, double[]> cells = new HashMap<>();
    for (List<String> row : rows) {
      List<Integer> cell =
          IntStream.range(0, columns.size())
              .map(k -> levels.get(k).indexOf(row.get(columns.get(k))))
              .boxed()
              .toList();
      String seen = row.get(header.indexOf(figure));
      double value = seen.isEmpty() ? Double.NaN : sign * Math.log(Double.parseDouble(seen));
      double[] before = cells.getOrDefault(cell, new double[0]);
      double[] more = Arrays.copyOf(before, before.length + 1);
      more[before.length] = value;
      cells.put(cell, more);
    }
    TuningSpace space = new TuningSpace(knobs, x -> true);
    return new MeasuredGrid(space, cells, new Random(0));
  }

  /** A grid with a default that is drawn of the cells that work. */
  MeasuredGrid from(Random drawn) {
    List<List<Integer>> working =
        cells.keySet().stream()
            .filter(cell -> !Double.isNaN(at(cell)))
            .sorted(Comparator.comparing(List::toString))
            .toList();
    List<Integer> initial = working.get(drawn.nextInt(working.size()));
    List<Knob> knobs =
        IntStream.range(0, initial.size())
            .mapToObj(
                k -> {
                  Knob knob = space.knobs().get(k);
                  return new Knob(
                      knob.name(), knob.levels(), knob.ordered(), initial.get(k), knob.needs());
                })
            .toList();
    return new MeasuredGrid(new TuningSpace(knobs, space.allowed()), cells, drawn);
  }

  /** The grid as a table: every measurement of a cell gives the mean of its blocks. */
  MeasuredGrid table() {
    Map<List<Integer>, double[]> means = new HashMap<>();
    cells.keySet().forEach(cell -> means.put(cell, new double[] {at(cell)}));
    return new MeasuredGrid(space, means, random);
  }

  @Override
  public double at(List<Integer> configuration) {
    return Arrays.stream(cells.getOrDefault(configuration, new double[0]))
        .average()
        .orElse(Double.NaN);
  }

  @Override
  public double best() {
    return cells.keySet().stream()
        .mapToDouble(this::at)
        .filter(each -> !Double.isNaN(each))
        .max()
        .orElseThrow();
  }

  /** A cell that failed once always fails, and so does one that was not measured. */
  @Override
  public double measure(List<Integer> configuration, int block) {
    double[] blocks = cells.getOrDefault(configuration, new double[0]);
    return Double.isNaN(at(configuration)) ? Double.NaN : blocks[random.nextInt(blocks.length)];
  }

  /** Standard deviation of a measurement. */
  double noise() {
    double squares = 0;
    int freedom = 0;
    for (Map.Entry<List<Integer>, double[]> cell : cells.entrySet()) {
      double mean = at(cell.getKey());
      if (!Double.isNaN(mean)) {
        squares += Arrays.stream(cell.getValue()).map(v -> (v - mean) * (v - mean)).sum();
        freedom += cell.getValue().length - 1;
      }
    }
    return freedom == 0 ? 0 : Math.sqrt(squares / freedom);
  }
}
