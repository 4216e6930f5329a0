package io.pyrometer.results.ranking;

import com.fasterxml.jackson.annotation.JsonValue;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A limit of the trials of a treatment.
 *
 * @param detail the unequal terms, or the text of a mark of another kind; else empty
 * @param trials that have it
 * @param of all valid trials, or blocks of failed ones
 */
public record Mark(Kind kind, String detail, int trials, int of) {

  /** Kinds of marks in the order of their explanations. */
  public enum Kind {
    OVERSUBSCRIBED("O", "oversubscribed"),
    NOT_WARM("W", "not warm"),
    NOT_SETTLED("S", "not settled"),
    DISTURBED("D", "disturbed"),
    GENERATOR("G", "limited by the load generator"),
    CLIENT_BUSY("C", "client busy"),
    LATE("L", "calls begun late"),
    ERRORS("E", "calls failed"),
    REFUTED("R", "guarantee refuted"),
    LACKS_GUARANTEES("N", "lacks guarantees"),
    UNEQUAL("U", "unequal"),
    FAILED("F", "failed"),
    AGENTS_DIFFER("A", "agents differ"),
    FEWER_COPIES("B", "fewer copies"),
    /** A mark of a plugin, in words. */
    OTHER("", "");

    private final String symbol;
    private final String words;

    Kind(String symbol, String words) {
      this.symbol = symbol;
      this.words = words;
    }

    /** The explanation, such as {@code O oversubscribed: …}; empty for other marks. */
    public String explanation() {
      String id = "mark." + name().toLowerCase(Locale.ROOT).replace('_', '-');
      return this == OTHER ? "" : symbol + "  " + Messages.bundled().text(id, Map.of()).orElse("");
    }
  }

  static Mark of(Kind kind, String detail) {
    return new Mark(kind, detail, 1, 1);
  }

  /** The findings of checks in the trials of a treatment, and in how many. */
  static List<Mark> ofChecks(List<TrialRecord> trials) {
    List<Mark> marks = new ArrayList<>();
    add(marks, trials, TrialRecord::disturbed, Kind.DISTURBED);
    add(marks, trials, TrialRecord::oversubscribed, Kind.OVERSUBSCRIBED);
    add(marks, trials, TrialRecord::notWarm, Kind.NOT_WARM);
    add(marks, trials, trial -> failed(trial, "generator"), Kind.GENERATOR);
    add(marks, trials, trial -> failed(trial, "client"), Kind.CLIENT_BUSY);
    add(marks, trials, trial -> failed(trial, Check.SCHEDULE_SLIP), Kind.LATE);
    add(marks, trials, trial -> failed(trial, "errors"), Kind.ERRORS);
    add(
        marks,
        trials,
        trial -> failed(trial, Check.LATE_START) || failed(trial, Check.SLOWEST_RATE),
        Kind.AGENTS_DIFFER);
    add(
        marks,
        trials,
        trial -> trial.steadinessJudged() && !trial.timeline().warmUp().settled(),
        Kind.NOT_SETTLED);
    return marks;
  }

  /** Returns whether a check whose name begins so marked a trial. */
  public static boolean failed(TrialRecord trial, String checks) {
    return trial.validity().stream()
        .anyMatch(check -> check.disturbed() && check.name().startsWith(checks));
  }

  private static void add(
      List<Mark> marks, List<TrialRecord> trials, Predicate<TrialRecord> which, Kind kind) {
    int count = (int) trials.stream().filter(which).count();
    if (count > 0) {
      marks.add(new Mark(kind, "", count, trials.size()));
    }
  }

  private String count() {
    return trials == of ? "" : " " + trials + "/" + of;
  }

  /** {@code O 2/3}. */
  public String symbol() {
    return (kind == Kind.OTHER ? detail : kind.symbol) + count();
  }

  /** {@code oversubscribed 2/3}. */
  @JsonValue
  public String words() {
    String space = kind == Kind.UNEQUAL ? " " : "";
    return kind.words + space + detail + count();
  }
}
