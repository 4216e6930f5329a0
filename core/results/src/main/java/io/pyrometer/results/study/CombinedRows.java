package io.pyrometer.results.study;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.Finding;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.Texts;
import io.pyrometer.results.study.StudyRequest.Rows;
import io.pyrometer.results.study.StudyResult.StudyData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads the observations of a file: the rows of one treatment and replicate brought together. */
final class CombinedRows {
  /** The columns of Pyrometer's own results that tell which rows count. */
  private static final String COUNTS = "counts";

  private static final String OUTCOME = "outcome";

  private static final int MAX_TRIALS = 200_000;

  /** Value of the option that names the columns of a start: every row has one of its own. */
  private static final String OWN_START = "row";

  private final FigureFile file;
  private final StudyRequest request;
  private final List<String> factors;
  private final String response;

  /** Sums may hold rows of 0, such as an idle client. */
  private final boolean positive;

  /** A cell such as 1.234, of which the point may separate thousands; empty if there is none. */
  private String grouped = "";

  /** A cell such as 987, which decimals of fixed length have not. */
  private String whole = "";

  private boolean decimals;

  /** The columns that were set once for a start of processes. */
  private final List<String> start;

  /** The column of blocks, named or found. */
  private final Optional<String> block;

  private final Map<Key, Trial> trials = new LinkedHashMap<>();
  private final Set<String> blocks = new LinkedHashSet<>();

  private long rows;
  private long leftOut;

  private record Key(List<String> levels, String block, String start, String replicate) {}

  private static final class Trial {
    private double sum;
    private int rows;

    /** The smallest number of the trial, by which trials are listed. */
    private double first = Double.POSITIVE_INFINITY;
  }

  /**
   * Opens the columns.
   *
   * @throws BadDataException in one sentence, if a column is missing
   */
  CombinedRows(FigureFile file, StudyRequest request) {
    this.file = file;
    this.request = request;
    this.factors = request.columns();
    this.response = request.response();
    this.positive = request.scale() == ResponseScale.LN && request.rows() != Rows.SUM;
    if (factors.contains(response)) {
      throw BadDataException.of(
          "%s is the response and cannot explain itself; name other columns as factors.", response);
    }
    this.start = request.start().stream().filter(name -> !name.equals(OWN_START)).toList();
    List<String> named = new ArrayList<>(List.of(response));
    named.addAll(factors);
    named.addAll(start);
    request.trial().ifPresent(named::add);
    request.replicate().ifPresent(named::add);
    request.block().ifPresent(named::add);
    named.forEach(file::require);
    this.block =
        request.block().or(() -> file.columnNamed("block").filter(name -> !named.contains(name)));
  }

  /**
   * Reads all rows.
   *
   * @return what was found, with what the reader must know about how rows were combined
   * @throws BadDataException in one sentence, if a cell cannot be used
   */
  StudyData read(List<Finding> notes) {
    readRows();
    refuseUnclearPoints();
    refuseStretches(notes);
    addNotes(notes);
    return new StudyData(
        withStarts(observations(), notes), response, request.unit(), request.scale());
  }

  private void readRows() {
    boolean ofRun =
        Stream.of(COUNTS, OUTCOME, "attempt")
            .allMatch(c -> file.columnNamed(c).filter(c::equals).isPresent());
    file.forEach(
        row -> {
          if (ofRun && !counts(row)) {
            leftOut++;
            return;
          }
          rows++;
          if (request.numeric()) {
            factors.forEach(row::number);
          }
          List<String> treatment = factors.stream().map(row::text).map(String::intern).toList();
          String place = block.map(row::text).map(String::intern).orElse("");
          blocks.add(place);
          String replicate =
              request.rows() == Rows.REPLICATES
                  ? "row " + rows
                  : request.replicate().map(row::text).orElse("");
          String ofStart = start.stream().map(row::text).collect(Collectors.joining(", "));
          Key key = new Key(treatment, place, ofStart, replicate);
          Trial trial = trials.computeIfAbsent(key, k -> new Trial());
          trial.sum += row.number(response, positive);
          trial.rows++;
          noteForm(row.text(response));
          double number = request.trial().map(row::number).orElse((double) rows);
          trial.first = Math.min(trial.first, number);
          if (trials.size() > MAX_TRIALS) {
            throw BadDataException.of(
                "%s holds more than %,d trials; average the rows of a treatment and block before.",
                file.name(), MAX_TRIALS);
          }
        });
  }

  private void noteForm(String cell) {
    if (cell.matches("[1-9]\\d{0,2}\\.\\d{3}")) {
      grouped = cell;
    } else if (cell.matches("\\d{1,3}")) {
      whole = cell;
    } else {
      decimals = true;
    }
  }

  private void refuseUnclearPoints() {
    if (!decimals && !grouped.isEmpty() && !whole.isEmpty()) {
      throw BadDataException.of(
          "%s: %s is %s in one row and %s in another; if the point separates thousands, write %s,"
              + " and if it is a decimal point, write %s.000.",
          file.name(), response, grouped, whole, grouped.replace(".", ""), whole);
    }
  }

  /**
   * Refuses factors whose levels follow each other in stretches of rows, more than a random order
   * would have it (Wald and Wolfowitz's runs test), or in one stretch each: nothing then separates
   * them from the order of the runs, as in a split plot. A table that is sorted by its factors
   * looks the same, and has a notice.
   */
  private void refuseStretches(List<Finding> notes) {
    if (request.numeric() || block.isPresent() || !request.start().isEmpty()) {
      return;
    }
    RowOrder order = new RowOrder(inOrder().map(each -> each.getKey().levels()).toList());
    List<String> found =
        IntStream.range(0, factors.size())
            .filter(order::comesInStretches)
            .mapToObj(factors::get)
            .toList();
    if (found.isEmpty()) {
      return;
    }
    if (!order.isSorted()) {
      throw new BadDataException(Texts.of("input.stretches", Phrases.and(found)));
    }
    notes.add(Finding.notice("input.sorted-rows").with("factors", found));
  }

  private Stream<Map.Entry<Key, Trial>> inOrder() {
    return trials.entrySet().stream()
        .sorted(Comparator.comparingDouble(each -> each.getValue().first));
  }

  /** Superseded attempts and failed trials of a run have rows that are no measurements. */
  private boolean counts(FigureFile.Row row) {
    boolean failed = !row.text(OUTCOME).equals("OK");
    return row.text(COUNTS).equals("true") && !(row.empty(response) && failed);
  }

  /** Without blocks and starts every trial stands alone, whatever its replicate is called. */
  private List<Observation> observations() {
    boolean alone =
        blocks.size() == 1
            && request.start().isEmpty()
            && (request.replicate().isPresent() || request.rows() == Rows.REPLICATES);
    List<Observation> observations = new ArrayList<>();
    inOrder()
        .forEach(
            each -> {
              Key key = each.getKey();
              Trial trial = each.getValue();
              Map<String, String> levels = new LinkedHashMap<>();
              for (int f = 0; f < factors.size(); f++) {
                levels.put(factors.get(f), key.levels().get(f));
              }
              double value = request.rows() == Rows.SUM ? trial.sum : trial.sum / trial.rows;
              observations.add(
                  new Observation(
                      levels,
                      alone
                          ? "trial " + (observations.size() + 1)
                          : key.block().isEmpty() ? "1" : key.block(),
                      key.start(),
                      Map.of(response, value)));
            });
    return observations;
  }

  /**
   * Where nothing says which trials shared a start of processes, factors of which the level stays
   * the same over consecutive rows of every block are taken for those of a split plot: judging them
   * by the differences between starts is right in either case, and only less sharp where every row
   * had its own. Designs of two levels, which are listed in such an order, are left as they are.
   */
  private List<Observation> withStarts(List<Observation> observations, List<Finding> notes) {
    boolean two =
        factors.stream()
            .allMatch(f -> observations.stream().map(o -> o.level(f)).distinct().count() <= 2);
    if (two || !request.start().isEmpty() || request.numeric() || blocks.size() < 2) {
      return observations;
    }
    List<String> whole =
        factors.stream().filter(f -> staysOverConsecutiveRows(f, observations)).toList();
    if (whole.isEmpty()) {
      return observations;
    }
    notes.add(Finding.notice("input.split-plot").with("factors", whole));
    return observations.stream()
        .map(
            o ->
                new Observation(
                    o.levels(),
                    o.block(),
                    String.join(", ", whole.stream().map(o::level).toList()),
                    o.values()))
        .toList();
  }

  private static boolean staysOverConsecutiveRows(String factor, List<Observation> observations) {
    return observations.stream().collect(ListsByKey.by(Observation::block)).values().stream()
        .map(rows -> rows.stream().map(o -> o.level(factor)).toList())
        .allMatch(
            levels -> {
              long distinct = levels.stream().distinct().count();
              return distinct > 1
                  && RowOrder.stretches(levels) == distinct
                  && levels.size() >= 2 * distinct;
            });
  }

  private void addNotes(List<Finding> notes) {
    if (block.isPresent() && request.block().isEmpty()) {
      notes.add(Finding.info("input.block-column").with("column", block.orElseThrow()));
    }
    if (leftOut > 0) {
      notes.add(Finding.info("input.rows-left-out").with("rows", leftOut));
    }
    if (request.rows() == Rows.MEAN && trials.size() < rows) {
      String id = "input.rows-averaged";
      notes.add(
          (block.isPresent() ? Finding.notice(id) : Finding.warning(id))
              .with("rows", rows)
              .with("trials", trials.size()));
    }
  }

  /** The levels of factors in the order of rows, one list for each row. */
  static final class RowOrder {
    /** Limit of the runs test, one-sided: one random order in 200 is taken for stretches. */
    private static final double STRETCHES = -2.58;

    /** Fewer rows of a level than these follow each other by chance. */
    private static final int MIN_ROWS = 3;

    private final List<List<String>> rows;

    /** The place of each level of a factor in the order in which they first appear. */
    private final List<Map<String, Integer>> places = new ArrayList<>();

    RowOrder(List<List<String>> rows) {
      this.rows = rows;
      for (int factor = 0; factor < rows.get(0).size(); factor++) {
        Map<String, Integer> place = new HashMap<>();
        levels(factor).forEach(level -> place.putIfAbsent(level, place.size()));
        places.add(place);
      }
    }

    private List<String> levels(int factor) {
      return rows.stream().map(row -> row.get(factor)).toList();
    }

    private static int stretches(List<?> values) {
      return 1
          + (int)
              IntStream.range(1, values.size())
                  .filter(i -> !values.get(i).equals(values.get(i - 1)))
                  .count();
    }

    /**
     * True of a factor that changes less often than in a random order, or in one stretch a level.
     */
    boolean comesInStretches(int factor) {
      List<String> levels = levels(factor);
      Map<String, Integer> counts = new HashMap<>();
      levels.forEach(level -> counts.merge(level, 1, Integer::sum));
      int stretches = stretches(levels);
      if (counts.size() < 2 || 2 * stretches > levels.size()) {
        return false;
      }
      if (stretches == counts.size()) {
        return counts.values().stream().allMatch(count -> count >= MIN_ROWS);
      }
      double n = levels.size();
      double squares = counts.values().stream().mapToDouble(c -> Math.pow(c, 2)).sum();
      double cubes = counts.values().stream().mapToDouble(c -> Math.pow(c, 3)).sum();
      double expected = n + 1 - squares / n;
      double variance =
          (squares * (squares + n * (n + 1)) - 2 * n * cubes - n * n * n) / (n * n * (n - 1));
      return variance > 0 && (stretches - expected) / Math.sqrt(variance) < STRETCHES;
    }

    /**
     * True where the rows are sorted by factors, one within another. Of factors with two levels the
     * sorted list may be repeated, as designs are listed once for each replicate.
     */
    boolean isSorted() {
      // All rows have one size: nothing is sorted yet.
      Comparator<List<String>> order = Comparator.comparingInt(List::size);
      long ties = neighbours(order, 0);
      while (ties > 0) {
        Comparator<List<String>> before = order;
        long left = ties;
        Optional<Comparator<List<String>>> next =
            IntStream.range(0, places.size())
                .mapToObj(
                    f -> before.thenComparingInt(row -> places.get(f).getOrDefault(row.get(f), 0)))
                .filter(by -> neighbours(by, 1) == 0 && neighbours(by, 0) < left)
                .findFirst();
        if (next.isEmpty()) {
          return false;
        }
        order = next.get();
        ties = neighbours(order, 0);
      }
      return true;
    }

    /** How many rows differ from the row before, and compare with it in this way. */
    private long neighbours(Comparator<List<String>> order, int sign) {
      boolean repeats = places.stream().allMatch(levels -> levels.size() == 2);
      return IntStream.range(1, rows.size())
          .filter(i -> !rows.get(i).equals(rows.get(i - 1)))
          .filter(i -> !repeats || !rows.get(i).equals(rows.get(0)))
          .filter(i -> Integer.signum(order.compare(rows.get(i - 1), rows.get(i))) == sign)
          .count();
    }
  }
}
