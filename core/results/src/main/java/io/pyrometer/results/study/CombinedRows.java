package io.pyrometer.results.study;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The observations of a file: its rows, those of one treatment and replicate brought together. Only
 * the sums are kept, so that memory grows with the number of trials and not with that of rows.
 *
 * @param notes what the reader must know about how that was done
 */
record CombinedRows(List<Observation> observations, List<Finding> notes) {

  /** What the rows of one trial add up to. */
  private static final class Sum {
    private double sum;
    private int rows;

    /** The smallest number of the trial, by which trials are listed. */
    private double first = Double.POSITIVE_INFINITY;

    void add(double value, double trial) {
      sum += value;
      rows++;
      first = Math.min(first, trial);
    }

    void add(Sum other) {
      sum += other.sum;
      rows += other.rows;
      first = Math.min(first, other.first);
    }

    double together(StudyRequest.Rows how) {
      return how == StudyRequest.Rows.SUM ? sum : sum / rows;
    }
  }

  /**
   * Reads all rows.
   *
   * @param numeric whether the levels of the factors must be numbers
   * @throws io.pyrometer.analysis.BadDataException in one sentence, if a column is missing or a
   *     cell cannot be used
   */
  static CombinedRows from(
      FigureFile file, StudyRequest request, List<String> factors, boolean numeric) {
    return new Reader(file, request, factors, numeric).read();
  }

  /** The work of reading one file. */
  private static final class Reader {
    /** The columns of Pyrometer's own results that tell which rows count. */
    private static final String COUNTS = "counts";

    private static final String OUTCOME = "outcome";
    private static final String ATTEMPT = "attempt";

    /** So many different cells are kept once, however often they occur. */
    private static final int MOST_SHARED = 10_000;

    private final FigureFile file;
    private final StudyRequest request;
    private final List<String> factors;
    private final boolean numeric;
    private final int response;
    private final int[] levels;

    /** Sums may hold rows of 0, such as an idle client. */
    private final boolean positive;

    private final OptionalInt trial;

    /** The column of blocks, named or found. */
    private final Optional<String> block;

    private final boolean found;

    /** Of a results.csv of a run: whether a row counts, and what became of the trial. */
    private final OptionalInt counts;

    private final OptionalInt outcome;

    /** Beyond so many trials of so many blocks, blocks are averaged in groups. */
    private static final int MOST_TRIALS = 50_000;

    private static final int MOST_BLOCKS = 5_000;
    private static final int GROUPS = 1_000;

    private final Map<String, String> shared = new HashMap<>();
    private final Set<List<String>> blocks = new HashSet<>();
    private boolean grouped;
    private final Map<List<String>, Sum> trials = new LinkedHashMap<>();
    private long rows;
    private long leftOut;

    Reader(FigureFile file, StudyRequest request, List<String> factors, boolean numeric) {
      this.file = file;
      this.request = request;
      this.factors = factors;
      this.numeric = numeric;
      this.response = file.column(request.response());
      this.positive =
          request.scale() == ResponseScale.LN && request.rows() == StudyRequest.Rows.MEAN;
      if (factors.contains(request.response())) {
        throw BadDataException.of(
            "%s is the response and cannot explain itself; name other columns as factors.",
            request.response());
      }
      this.levels = factors.stream().mapToInt(file::column).toArray();
      this.trial = column(request.trial());
      request.replicate().ifPresent(file::column);
      Optional<String> byName =
          request.block().isPresent()
              ? Optional.empty()
              : file.columnNamed("block").filter(this::unused);
      this.found = byName.isPresent();
      this.block = request.block().or(() -> byName);
      boolean ofRun =
          Stream.of(COUNTS, OUTCOME, ATTEMPT).allMatch(c -> file.columnNamed(c).isPresent());
      this.counts = column(Optional.of(COUNTS).filter(c -> ofRun));
      this.outcome = column(Optional.of(OUTCOME).filter(c -> ofRun));
    }

    private OptionalInt column(Optional<String> name) {
      return name.map(n -> OptionalInt.of(file.column(n))).orElse(OptionalInt.empty());
    }

    private boolean unused(String column) {
      return !column.equals(request.response())
          && !factors.contains(column)
          && !request.trial().equals(Optional.of(column))
          && !request.replicate().equals(Optional.of(column));
    }

    CombinedRows read() {
      OptionalInt ofBlock = column(block);
      OptionalInt ofReplicate = column(request.replicate());
      file.forEach(
          row -> {
            if (counts.isPresent() && !counting(row)) {
              leftOut++;
              return;
            }
            String[] key = new String[levels.length + 2];
            for (int f = 0; f < levels.length; f++) {
              key[f] = shared(row.text(levels[f]));
              if (numeric) {
                row.number(levels[f]);
              }
            }
            key[levels.length] = ofBlock.isPresent() ? shared(row.text(ofBlock.getAsInt())) : "1";
            key[levels.length + 1] =
                ofReplicate.isPresent() ? row.text(ofReplicate.getAsInt()) : "";
            double number = trial.isPresent() ? row.number(trial.getAsInt()) : 0;
            add(List.of(key), row.number(response, positive), number);
            rows++;
          });
      return new CombinedRows(observations(), notes());
    }

    private void add(List<String> key, double value, double number) {
      List<String> trial = grouped ? inGroup(key) : key;
      trials.computeIfAbsent(trial, t -> new Sum()).add(value, number);
      if (!grouped && blocks.size() <= MOST_BLOCKS) {
        blocks.add(key.subList(levels.length, levels.length + 2));
      }
      if (!grouped && trials.size() > MOST_TRIALS && blocks.size() > MOST_BLOCKS) {
        group();
      }
    }

    /**
     * Averages blocks in groups, the same ones at all levels: groups of blocks differ as blocks do,
     * only less, so that intervals stay what they are, and neither memory nor time grow with rows.
     */
    private void group() {
      if (request.rows() == StudyRequest.Rows.SUM) {
        throw BadDataException.of(
            "%s holds more than %,d trials, too many to sum the rows of each; sum them before.",
            file.name(), MOST_TRIALS);
      }
      grouped = true;
      Map<List<String>, Sum> ungrouped = new LinkedHashMap<>(trials);
      trials.clear();
      ungrouped.forEach(
          (key, sum) -> trials.computeIfAbsent(inGroup(key), t -> new Sum()).add(sum));
    }

    private List<String> inGroup(List<String> key) {
      String id = key.get(levels.length) + (block.isPresent() ? "" : key.get(levels.length + 1));
      // Neighbouring numbers go to different groups.
      int group = Math.floorMod((id.hashCode() * 0x9E3779B9) >>> 8, GROUPS);
      List<String> cells = new ArrayList<>(key.subList(0, levels.length));
      cells.add(shared("group " + group));
      cells.add("");
      return List.copyOf(cells);
    }

    /** Superseded attempts and failed trials of a run have rows that are no measurements. */
    private boolean counting(FigureFile.Row row) {
      return row.text(counts.orElseThrow()).equals("true")
          && !(row.empty(response) && !row.text(outcome.orElseThrow()).equals("OK"));
    }

    private String shared(String cell) {
      String known =
          shared.size() < MOST_SHARED ? shared.putIfAbsent(cell, cell) : shared.get(cell);
      return known == null ? cell : known;
    }

    private List<Observation> observations() {
      boolean blocksAlone = block.isPresent() && uniqueIds();
      Stream<Map.Entry<List<String>, Sum>> inOrder =
          trial.isPresent()
              ? trials.entrySet().stream()
                  .sorted(Comparator.comparingDouble(each -> each.getValue().first))
              : trials.entrySet().stream();
      return inOrder
          .map(
              each ->
                  new Observation(
                      levels(each.getKey()),
                      block(each.getKey(), blocksAlone),
                      Map.of(request.response(), each.getValue().together(request.rows()))))
          .toList();
    }

    private Map<String, String> levels(List<String> key) {
      Map<String, String> named = new LinkedHashMap<>();
      for (int f = 0; f < factors.size(); f++) {
        named.put(factors.get(f), key.get(f));
      }
      return named;
    }

    private String block(List<String> key, boolean blocksAlone) {
      String ofBlock = key.get(levels.length);
      String ofReplicate = key.get(levels.length + 1);
      if (request.replicate().isEmpty() || blocksAlone || grouped) {
        return ofBlock;
      }
      return block.isEmpty() ? ofReplicate : ofBlock + " · " + ofReplicate;
    }

    /** Whether no two trials share a replicate, which then says nothing of what they share. */
    private boolean uniqueIds() {
      Set<List<String>> ids = new HashSet<>();
      return request.replicate().isPresent()
          && !grouped
          && trials.keySet().stream()
              .allMatch(key -> ids.add(key.subList(levels.length, levels.length + 2)));
    }

    private List<Finding> notes() {
      List<Finding> notes = new ArrayList<>();
      if (found) {
        notes.add(
            note(
                "Blocks are taken from the column %s of %s."
                    .formatted(block.orElseThrow(), file.name()),
                "Another column, named with --block."));
      }
      if (block.isPresent() && uniqueIds()) {
        notes.add(
            note(
                "No two trials share a value of %s, so it does not say which belong together; %s does."
                    .formatted(request.replicate().orElseThrow(), block.orElseThrow()),
                "A column whose values are shared by trials that were made together."));
      }
      if (leftOut > 0) {
        notes.add(
            note(
                "%s of %s left out: attempts that were repeated, and trials that failed."
                    .formatted(
                        Figures.count(leftOut, "row"),
                        file.name() + (leftOut == 1 ? " is" : " are")),
                "A file without the columns counts, outcome and attempt."));
      }
      if (grouped) {
        notes.add(
            note(
                "The %s of %s are of more than %,d blocks, which were averaged in %,d groups."
                    .formatted(Figures.count(rows, "row"), file.name(), MOST_BLOCKS, GROUPS),
                "Nothing: groups of blocks differ as blocks do."));
      } else if (trials.size() < rows) {
        notes.add(
            note(
                "The %s of %s are of %s: rows of one trial were %s, since they are no replicates."
                    .formatted(
                        Figures.count(rows, "row"),
                        file.name(),
                        Figures.count(trials.size(), "trial"),
                        request.rows() == StudyRequest.Rows.SUM ? "summed" : "averaged"),
                "A column that tells replicates apart, named with --replicate."));
      }
      return notes;
    }

    private static Finding note(String sentence, String change) {
      return Finding.info(Finding.Kind.ESTIMATE, sentence, change);
    }
  }
}
