package io.pyrometer.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Transactions in short: {@code ax1} appends 1 to x, {@code rx12} reads [1 2]. */
public class TransactionCheckTest {
  private static final Pattern ACCESS = Pattern.compile("([ar])([a-z])([0-9_]*)");
  private static final Pattern TIMES = Pattern.compile("@(\\d+)-(\\d+)");

  /** The history of transactions such as {@code ok ax1; fail ax2ry; info ax3 @2-5}. */
  public static List<Operation> history(String text) {
    List<Operation> history = new ArrayList<>();
    for (String part : text.split(";")) {
      String[] words = part.strip().split(" ");
      Outcome outcome =
          switch (words[0]) {
            case "ok" -> Outcome.OK;
            case "fail" -> Outcome.FAILED;
            default -> Outcome.UNKNOWN;
          };
      List<Object> accesses = new ArrayList<>();
      List<Object> call = new ArrayList<>();
      for (Matcher access = ACCESS.matcher(words[1]); access.find(); ) {
        List<Object> answered = access(access.group(1), access.group(2), access.group(3));
        accesses.add(answered);
        call.add(
            answered.get(0).equals("r") ? List.of("r", answered.get(1), Operation.NIL) : answered);
      }
      Matcher times = TIMES.matcher(part);
      boolean timed = times.find();
      long from = timed ? Long.parseLong(times.group(1)) : 10L * history.size();
      long to = timed ? Long.parseLong(times.group(2)) : from + 5;
      history.add(
          new Operation(
              history.size(),
              "txn",
              Operation.NIL,
              outcome == Outcome.OK ? call : accesses,
              outcome == Outcome.OK ? accesses : Operation.NIL,
              from,
              outcome == Outcome.UNKNOWN ? Operation.NEVER : to,
              outcome));
    }
    return history;
  }

  private static List<Object> access(String kind, String key, String digits) {
    List<Long> values =
        digits.chars().filter(Character::isDigit).mapToObj(digit -> digit - (long) '0').toList();
    return kind.equals("a") ? List.of("append", key, values.get(0)) : List.of("r", key, values);
  }

  /** The strongest level of isolation at which a history is valid. */
  public static String strongest(List<Operation> history) {
    String strongest = "none";
    for (Isolation level : Isolation.values()) {
      if (TransactionCheck.of(history, level, Budget.of(Budget.TIME)).verdict()
          == Verdict.INVALID) {
        return strongest;
      }
      strongest = level.name();
    }
    return strongest;
  }

  @ParameterizedTest
  @CsvSource({
    // Two transactions whose appends to two lists are in opposite orders.
    "ok ax1ay2; ok ax3ay4; ok rx13ry42, G0, none",
    // Somebody saw what a failed transaction appended.
    "fail ax7; ok rx7, G1A, READ_UNCOMMITTED",
    "ok ax5ax6; ok rx5 @20-25, G1B, READ_UNCOMMITTED",
    // The first saw the second's z and the second's x follows the first's.
    "ok ax1rz9; ok az9ax2; ok rx12, G1C, READ_UNCOMMITTED",
    // The reader saw one of two appends of one transaction.
    "ok ax1ay1; ok rx1ry; ok ry1, G_SINGLE, READ_COMMITTED",
    // Each missed the other's append.
    "ok rxay1; ok ryax1, G2, SNAPSHOT",
    "ok rxax1; ok rxax2; ok rx12, LOST_UPDATE, READ_COMMITTED",
    "fail ax1; ok ax2; ok rx12, DIRTY_UPDATE, READ_UNCOMMITTED",
    "ok ax1; ok rx11, DUPLICATE_ELEMENTS, none",
    "ok ax1; ok ax2; ok rx12; ok rx21, INCOMPATIBLE_ORDER, none",
    "ok ax1rx2; ok ax2, INTERNAL, READ_COMMITTED",
    // Its own appends in another order, which one read shows in the middle of a list.
    "ok ax1ax2; ok ax3; ok rx213, OWN_WRITES, none",
    "ok rx1ax1, OWN_WRITES, none",
    "ok ax1; ok rx17, UNWRITTEN_READ, none",
    "ok rx7, UNWRITTEN_READ, none",
    // Serializable, but not in the order of time: the read began after the append had ended.
    "ok ax1; ok rx; ok rx1, G_SINGLE, SERIALIZABLE"
  })
  void eachAnomalyIsFoundAndEndsTheLevelsThatExcludeIt(
      String transactions, Anomaly.AnomalyType type, String strongest) {
    List<Operation> history = history(transactions);
    assertThat(
            TransactionCheck.of(history, Isolation.STRICT_SERIALIZABLE, Budget.of(Budget.TIME))
                .anomalies())
        .extracting(Anomaly::type)
        .contains(type);
    assertThat(strongest(history)).isEqualTo(strongest);
  }

  @Test
  void transactionsWithoutAnAnswerMayHaveCommittedOrNot() {
    assertThat(strongest(history("ok ax1; info ax2; ok rx12; ok rx12")))
        .isEqualTo("STRICT_SERIALIZABLE");
    assertThat(strongest(history("ok ax1; info ax2; ok rx1; ok rx1")))
        .isEqualTo("STRICT_SERIALIZABLE");
  }

  @Test
  void anAnomalyNamesItsTransactionsAndTheirDependencies() {
    Anomaly skew =
        TransactionCheck.of(
                history("ok rxay1; ok ryax1"), Isolation.SERIALIZABLE, Budget.of(Budget.TIME))
            .anomalies()
            .get(0);
    assertThat(skew.transactions())
        .extracting(Transaction::describe)
        .containsExactly("T0: r x [] append y 1", "T1: r y [] append x 1");
    assertThat(skew.explanation())
        .isEqualTo(
            "%s; %s.",
            Messages.format("chaos.edge-rw").formatted("T0", "T1", "x"),
            Messages.format("chaos.edge-rw").formatted("T1", "T0", "y"));
  }

  private static Operation transaction(Object argument, Object result) {
    return new Operation(0, "txn", Operation.NIL, argument, result, 0, 1, Outcome.OK);
  }

  static Stream<List<Operation>> malformed() {
    List<Object> read = List.of(List.of("r", "x", Operation.NIL));
    List<Object> append = List.of(List.of("append", "x", 1L));
    return Stream.concat(
        Stream.of(history("ok ax1; ok ax1")),
        Stream.of(
                transaction(Operation.NIL, Operation.NIL),
                transaction(read, Operation.NIL),
                transaction(read, List.of(List.of("r", "y", List.of()))),
                transaction(read, List.of(List.of("r", "x", "text"))),
                transaction(read, append),
                transaction(List.of(List.of("frob", "x", 1L)), append),
                new Operation(0, "read", "x", Operation.NIL, 1L, 0, 1, Outcome.OK))
            .map(List::of));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void malformedTransactionsAreRefused(List<Operation> history) {
    assertThatThrownBy(() -> strongest(history)).isInstanceOf(IllegalArgumentException.class);
  }
}
