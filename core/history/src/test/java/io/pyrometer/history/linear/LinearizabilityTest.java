package io.pyrometer.history.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.history.Bound;
import io.pyrometer.history.Edn;
import io.pyrometer.history.HistoryFile;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Operation.Outcome;
import io.pyrometer.history.SimulatedGrid;
import io.pyrometer.history.SimulatedGrid.Defect;
import io.pyrometer.history.Verdict;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinearizabilityTest {

  /** Operations such as {@code 1-4 write 3} or {@code 2-? cas [1 2]} or {@code 5-6 read → 3}. */
  private static List<Operation> history(String text) {
    List<Operation> history = new ArrayList<>();
    for (String line : text.split(";")) {
      String[] sides = line.strip().split("→");
      String[] words = sides[0].strip().split(" ", 3);
      String[] times = words[0].split("-");
      boolean answered = !times[1].equals("?");
      history.add(
          new Operation(
              history.size(),
              words[1],
              Edn.NIL,
              words.length > 2 ? Edn.readAll(words[2]).get(0) : Edn.NIL,
              sides.length > 1 ? Edn.readAll(sides[1]).get(0) : Edn.NIL,
              Long.parseLong(times[0]),
              answered ? Long.parseLong(times[1]) : Operation.NEVER,
              answered ? Outcome.OK : Outcome.UNKNOWN));
    }
    return history;
  }

  private static <S> Verdict verdict(Model<S> model, List<Operation> history) {
    return Linearizability.check(model, history, Bound.DEFAULT).verdict();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Two reads during a write may see it in either order, as may reads of a write that was
        // never acknowledged and has vanished.
        "1-2 write 1; 3-9 write 2; 4-5 read → 2; 6-7 read → 1 | VALID",
        "1-2 write 1; 3-? write 2; 4-5 read → 2; 6-7 cas [1 3] → false; 8-9 read → 1 | VALID",
        "1-2 write 1; 3-4 write 2; 5-6 read → 1 | INVALID",
        "1-2 write 1; 3-4 read → nil | INVALID",
        "1-2 write 1; 3-4 read → 7 | INVALID",
        "1-2 write 1; 3-4 cas [1 2] → true; 5-6 read → 1 | INVALID",
        // What a comparison found is not promised.
        "1-2 write 1; 3-4 cas [1 2] → true; 5-6 cas [1 3] → true; 7-8 read → 3 | VALID",
        "1-2 write 1; 3-4 cas [1 2] → false | VALID",
        "1-2 write 1; 3-? cas [7 2]; 4-5 read → 2 | VALID"
      })
  void regularRegistersLoseNoAcknowledgedWrite(String history, Verdict expected) {
    assertThat(
            Linearizability.checkEachRead(Register.OF_WRITES, history(history), Bound.DEFAULT)
                .verdict())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1-2 write 1; 3-4 read → 1 | VALID",
        "1-2 write 1; 3-4 read → nil | INVALID",
        "1-4 write 1; 2-3 read → nil | VALID",
        "1-4 write 1; 2-3 read → 1; 3-5 read → nil | VALID",
        "1-9 write 1; 2-3 read → 1; 4-5 read → nil | INVALID",
        "1-2 write 1; 3-4 cas [1 2] → true; 5-6 read → 2 | VALID",
        "1-2 write 1; 3-4 cas [1 2] → false | INVALID",
        "1-2 write 1; 3-4 cas [1 2] → true; 5-6 cas [1 3] → true | INVALID",
        // Without an answer it may take effect at any later time, but once.
        "1-2 write 1; 3-? write 2; 4-5 read → 1; 90-91 read → 2 | VALID",
        "1-2 write 1; 3-? write 2; 4-5 read → 2; 6-7 read → 1 | INVALID",
        "1-2 write 1; 3-? cas [1 2]; 4-5 read → 1 | VALID",
        "5-? write 2; 1-4 read → 2 | INVALID"
      })
  void registers(String history, Verdict expected) {
    assertThat(verdict(Register.EMPTY, history(history))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1-4 add 2 → 3; 2-3 add 1 → 1; 5-6 read → 3 | VALID",
        "1-2 add 1 → 1; 3-4 read → 2 | INVALID",
        "1-2 add 1 → 1; 3-? add 1; 4-5 read → 2 | VALID",
        "1-2 add 1 → 1; 3-? add 1; 4-5 read → 3 | INVALID"
      })
  void counters(String history, Verdict expected) {
    assertThat(verdict(new Counter(), history(history))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1-2 add 1; 3-4 add 2; 5-6 read → #{1 2} | VALID",
        "1-2 add 1; 3-4 add 2; 5-6 read → #{2} | INVALID",
        "1-2 add 1; 3-4 remove 1; 5-6 read → #{} | VALID",
        "1-2 add 1; 3-? remove 1; 5-6 read → #{}; 7-8 read → #{1} | INVALID"
      })
  void sets(String history, Verdict expected) {
    assertThat(verdict(new Elements(), history(history))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1-2 enqueue 1; 3-4 enqueue 2; 5-6 dequeue → 1; 7-8 dequeue → 2 | VALID",
        "1-2 enqueue 1; 3-4 enqueue 2; 5-6 dequeue → 2 | INVALID",
        "1-4 enqueue 1; 2-3 enqueue 2; 5-6 dequeue → 2 | VALID",
        "1-2 enqueue 1; 3-4 dequeue → nil | INVALID",
        "1-2 enqueue 1; 3-? dequeue; 4-5 dequeue → nil | VALID",
        "1-2 enqueue 1; 3-4 dequeue → 1; 5-6 dequeue → 1 | INVALID"
      })
  void queues(String history, Verdict expected) {
    assertThat(verdict(new Queue(), history(history))).isEqualTo(expected);
  }

  /** Every order of every subset of operations without an answer, for comparison. */
  private static <S> boolean explained(Model<S> model, S state, List<Operation> left) {
    if (left.stream().noneMatch(Operation::ok)) {
      return true;
    }
    long firstEnd = left.stream().mapToLong(Operation::completed).min().orElseThrow();
    for (Operation next : left) {
      Optional<S> after = model.step(state, next);
      if (next.invoked() <= firstEnd && after.isPresent()) {
        List<Operation> rest = new ArrayList<>(left);
        rest.remove(next);
        if (explained(model, after.get(), rest)) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void theVerdictIsThatOfTryingEveryOrder() {
    int invalid = 0;
    for (long seed = 0; seed < 2_000; seed++) {
      List<Operation> history = random(seed);
      boolean explained = explained(Register.EMPTY, Edn.NIL, history);
      assertThat(verdict(Register.EMPTY, history))
          .as("seed %d", seed)
          .isEqualTo(explained ? Verdict.VALID : Verdict.INVALID);
      if (!explained) {
        invalid++;
        List<Operation> least =
            Counterexample.of(Register.EMPTY, history, Bound.DEFAULT).operations();
        assertThat(explained(Register.EMPTY, Edn.NIL, least)).as("seed %d", seed).isFalse();
      }
    }
    assertThat(invalid).isBetween(200, 1_800);
  }

  private static List<Operation> random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Operation> history = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      long from = random.nextInt(20);
      long value = random.nextInt(3);
      boolean answered = random.nextInt(6) > 0;
      String function = List.of("read", "read", "write", "cas").get(random.nextInt(4));
      Object argument =
          switch (function) {
            case "read" -> Edn.NIL;
            case "write" -> value;
            default -> List.of(value, (long) random.nextInt(3));
          };
      Object result =
          switch (function) {
            case "read" -> value;
            case "write" -> Edn.NIL;
            default -> random.nextBoolean();
          };
      history.add(
          new Operation(
              i,
              function,
              Edn.NIL,
              argument,
              answered ? result : Edn.NIL,
              from,
              answered ? from + 1 + random.nextInt(12) : Operation.NEVER,
              answered ? Outcome.OK : Outcome.UNKNOWN));
    }
    return history;
  }

  @Test
  void tenThousandOperationsOnFiftyKeysAreDecidedWithinTheBound() {
    List<Operation> history = SimulatedGrid.registers(1, 10_000, 50, Defect.NONE, 0);
    Linearizability checked = Linearizability.check(Register.EMPTY, history, Bound.DEFAULT);
    assertThat(checked.verdict()).isEqualTo(Verdict.VALID);
    assertThat(checked.keys()).isEqualTo(50);
    assertThat(checked.operations()).isEqualTo(10_000);
  }

  @Test
  void aSearchThatReachesItsBoundDecidesNothing() {
    List<Operation> history = SimulatedGrid.registers(1, 1_000, 1, Defect.NONE, 0);
    Linearizability steps =
        Linearizability.check(Register.EMPTY, history, new Bound(100, Bound.DEFAULT.bytes()));
    assertThat(steps.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(steps.undecided()).isNotEmpty();
    assertThat(
            Linearizability.check(Register.EMPTY, history, new Bound(Bound.DEFAULT.steps(), 10_000))
                .verdict())
        .isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void aCounterexampleIsSmallAndStandsAlone() {
    int found = 0;
    for (long seed = 0; seed < 20; seed++) {
      List<Operation> history = SimulatedGrid.registers(seed, 2_000, 5, Defect.STALE, 0.002);
      Optional<Counterexample> least =
          Linearizability.check(Register.EMPTY, history, Bound.DEFAULT).counterexample();
      if (least.isPresent()) {
        found++;
        List<Operation> operations = least.get().operations();
        assertThat(operations).as("seed %d", seed).hasSizeLessThan(10);
        assertThat(verdict(Register.EMPTY, operations)).isEqualTo(Verdict.INVALID);
      }
    }
    assertThat(found).isPositive();
  }

  @Test
  void aHistoryIsReadBackAsItWasWritten() throws IOException {
    StringWriter text = new StringWriter();
    try (HistoryFile file = new HistoryFile(text, true)) {
      file.invoked(0, "write", 7L, 1L);
      file.invoked(1, "read", 7L, Edn.NIL);
      file.completed(0, Outcome.OK, "write", 7L, 1L, false);
      file.completed(1, Outcome.OK, "read", 7L, 1L, false);
      file.invoked(0, "cas", 7L, List.of(2L, 3L));
      file.completed(0, Outcome.OK, "cas", 7L, List.of(2L, 3L), true);
      file.invoked(1, "cas", 7L, List.of(1L, 4L));
      file.completed(1, Outcome.OK, "cas", 7L, List.of(1L, 4L), false);
      file.invoked(0, "write", 7L, 5L);
      file.completed(0, Outcome.UNKNOWN, "write", 7L, 5L, false);
      file.invoked(1, "write", 8L, 6L);
      file.completed(1, Outcome.FAILED, "write", 8L, 6L, false);
      file.invoked(1, "write", 8L, 9L);
    }
    List<Operation> history = HistoryFile.read(text.toString(), true);
    assertThat(history)
        .extracting(each -> each.key() + ": " + each.describe())
        .containsExactly(
            "7: write 1 ok",
            "7: read → 1",
            "7: cas [2 3] → false",
            "7: cas [1 4] → true",
            "7: write 5 → ?",
            "8: write 6 failed",
            "8: write 9 → ?");
    assertThat(history.get(1).invoked()).isLessThan(history.get(0).completed());
    assertThat(history.get(2).invoked()).isGreaterThan(history.get(1).completed());
    assertThat(verdict(Register.EMPTY, history)).isEqualTo(Verdict.VALID);
  }
}
