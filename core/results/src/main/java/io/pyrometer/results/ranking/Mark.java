package io.pyrometer.results.ranking;

import com.fasterxml.jackson.annotation.JsonValue;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.message.Messages;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A limit of the trials of a treatment.
 *
 * @param detail the unequal terms, or the text of a mark of another kind; else empty
 * @param trials that have it
 * @param of all valid trials, or blocks of failed ones
 */
public record Mark(Kind kind, String detail, int trials, int of) {

  /** Kinds of marks in the order of their explanations. */
  @SuppressWarnings("ImmutableEnumChecker") // its functions have no state
  public enum Kind {
    OVERSUBSCRIBED("O", "oversubscribed", TrialRecord::oversubscribed),
    NOT_WARM("W", "not warm", TrialRecord::notWarm),
    NOT_SETTLED(
        "S",
        "not settled",
        trial -> trial.steadinessJudged() && !trial.timeline().warmUp().settled()),
    DISTURBED("D", "disturbed", TrialRecord::disturbed),
    GENERATOR("G", "limited by the load generator", trial -> failed(trial, "generator")),
    CLIENT_BUSY("C", "client busy", trial -> failed(trial, "client")),
    LATE("L", "calls begun late", trial -> failed(trial, Check.SCHEDULE_SLIP)),
    ERRORS("E", "calls failed", trial -> failed(trial, "errors")),
    REFUTED("R", "guarantee refuted"),
    LACKS_GUARANTEES("N", "lacks guarantees"),
    UNEQUAL("U", "unequal"),
    FAILED("F", "failed"),
    AGENTS_DIFFER(
        "A",
        "agents differ",
        trial -> failed(trial, Check.LATE_START) || failed(trial, Check.SLOWEST_RATE)),
    FEWER_COPIES("B", "fewer copies"),
    /** A mark of a plugin, in words. */
    OTHER("", "");

    private final String symbol;
    private final String words;
    private final Predicate<TrialRecord> check;

    /** A mark of a treatment, which no check of a trial sets. */
    Kind(String symbol, String words) {
      this(symbol, words, trial -> false);
    }

    Kind(String symbol, String words, Predicate<TrialRecord> check) {
      this.symbol = symbol;
      this.words = words;
      this.check = check;
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
    return Stream.of(Kind.values())
        .map(
            kind ->
                new Mark(kind, "", (int) trials.stream().filter(kind.check).count(), trials.size()))
        .filter(mark -> mark.trials > 0)
        .toList();
  }

  /** Returns whether a check whose name begins so marked a trial. */
  public static boolean failed(TrialRecord trial, String checks) {
    return trial.validity().stream()
        .anyMatch(check -> check.disturbed() && check.name().startsWith(checks));
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
