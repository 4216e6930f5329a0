package io.pyrometer.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.chaos.history.Model.Counter;
import io.pyrometer.chaos.history.Model.Register;
import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.chaos.history.SimulatedGrid.Defect;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LinearizabilityTest {

  /** Operations such as {@code 1-4 write 3} or {@code 2-? cas [1,2]} or {@code 5-6 read → 3}. */
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
              Operation.NIL,
              words.length > 2 ? json(words[2]) : Operation.NIL,
              sides.length > 1 ? json(sides[1]) : Operation.NIL,
              Long.parseLong(times[0]),
              answered ? Long.parseLong(times[1]) : Operation.NEVER,
              answered ? Outcome.OK : Outcome.UNKNOWN));
    }
    return history;
  }

  private static Object json(String text) {
    if (text.strip().startsWith("[")) {
      return Arrays.stream(text.replaceAll("[\\[\\]]", "").split(","))
          .map(LinearizabilityTest::json)
          .toList();
    }
    return switch (text.strip()) {
      case "null" -> Operation.NIL;
      case "true" -> true;
      case "false" -> false;
      default -> Long.parseLong(text.strip());
    };
  }

  private static <S> Verdict verdict(Model<S> model, List<Operation> history) {
    return Linearizability.check(model, history, Budget.of(Budget.TIME)).verdict();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Two reads during a write may see it in either order, as may reads of a write that was
        // never acknowledged and has vanished.
        "1-2 write 1; 3-9 write 2; 4-5 read → 2; 6-7 read → 1 | VALID",
        "1-2 write 1; 3-? write 2; 4-5 read → 2; 6-7 cas [1,3] → false; 8-9 read → 1 | VALID",
        "1-2 write 1; 3-4 write 2; 5-6 read → 1 | INVALID",
        "1-2 write 1; 3-4 read → null | INVALID",
        "1-2 write 1; 3-4 read → 7 | INVALID",
        "1-2 write 1; 3-4 cas [1,2] → true; 5-6 read → 1 | INVALID",
        // What a comparison found is not promised.
        "1-2 write 1; 3-4 cas [1,2] → true; 5-6 cas [1,3] → true; 7-8 read → 3 | VALID",
        "1-2 write 1; 3-4 cas [1,2] → false | VALID",
        "1-2 write 1; 3-? cas [7,2]; 4-5 read → 2 | VALID"
      })
  void regularRegistersLoseNoAcknowledgedWrite(String history, Verdict expected) {
    assertThat(
            Linearizability.checkEachRead(
                    Register.OF_WRITES, history(history), Budget.of(Budget.TIME))
                .verdict())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1-2 write 1; 3-4 read → 1 | VALID",
        "1-2 write 1; 3-4 read → null | INVALID",
        "1-4 write 1; 2-3 read → null | VALID",
        "1-4 write 1; 2-3 read → 1; 3-5 read → null | VALID",
        "1-9 write 1; 2-3 read → 1; 4-5 read → null | INVALID",
        "1-2 write 1; 3-4 cas [1,2] → true; 5-6 read → 2 | VALID",
        "1-2 write 1; 3-4 cas [1,2] → false | INVALID",
        "1-2 write 1; 3-4 cas [1,2] → true; 5-6 cas [1,3] → true | INVALID",
        // Without an answer it may take effect at any later time, but once.
        "1-2 write 1; 3-? write 2; 4-5 read → 1; 90-91 read → 2 | VALID",
        "1-2 write 1; 3-? write 2; 4-5 read → 2; 6-7 read → 1 | INVALID",
        "1-2 write 1; 3-? cas [1,2]; 4-5 read → 1 | VALID",
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
      boolean explained = explained(Register.EMPTY, Operation.NIL, history);
      assertThat(verdict(Register.EMPTY, history))
          .as("seed %d", seed)
          .isEqualTo(explained ? Verdict.VALID : Verdict.INVALID);
      if (!explained) {
        invalid++;
        List<Operation> least =
            Linearizability.counterexample(Register.EMPTY, history, Budget.of(Budget.TIME));
        assertThat(explained(Register.EMPTY, Operation.NIL, least)).as("seed %d", seed).isFalse();
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
            case "read" -> Operation.NIL;
            case "write" -> value;
            default -> List.of(value, (long) random.nextInt(3));
          };
      Object result =
          switch (function) {
            case "read" -> value;
            case "write" -> Operation.NIL;
            default -> random.nextBoolean();
          };
      history.add(
          new Operation(
              i,
              function,
              Operation.NIL,
              argument,
              answered ? result : Operation.NIL,
              from,
              answered ? from + 1 + random.nextInt(12) : Operation.NEVER,
              answered ? Outcome.OK : Outcome.UNKNOWN));
    }
    return history;
  }

  /** Time that passes with each look at the clock. */
  private static Budget looks(int count, long bytes) {
    AtomicLong time = new AtomicLong();
    return Budget.of(Duration.ofNanos(count), bytes, time::incrementAndGet);
  }

  @Test
  void aSearchWithoutTimeOrMemoryDecidesNothing() {
    List<Operation> history = SimulatedGrid.registers(1, 1_000, 1, Defect.NONE, 0);
    Linearizability slow = Linearizability.check(Register.EMPTY, history, looks(0, Budget.BYTES));
    assertThat(slow.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(slow.undecided()).isNotEmpty();
    assertThat(
            Linearizability.check(
                    Register.EMPTY, history, Budget.of(Budget.TIME, 10_000, System::nanoTime))
                .verdict())
        .isEqualTo(Verdict.UNKNOWN);
  }

  /** Each of the reads of a key is a search, and each key has as many. */
  @Test
  void allSearchesOfACheckShareItsTime() {
    List<Operation> hard = new ArrayList<>();
    for (int key = 0; key < 20; key++) {
      for (Operation each : SimulatedGrid.registers(key, 150, 1, Defect.STALE, 1)) {
        hard.add(
            new Operation(
                each.process(),
                each.function(),
                (long) key,
                each.argument(),
                each.result(),
                each.function().equals("read") ? each.invoked() : 0,
                each.completed(),
                each.outcome()));
      }
    }
    AtomicLong looks = new AtomicLong();
    Budget budget = Budget.of(Duration.ofNanos(500), Budget.BYTES, looks::incrementAndGet);
    Linearizability unused = Linearizability.checkEachRead(Register.OF_WRITES, hard, budget);
    // A search looks once before it gives up.
    assertThat(looks.get()).isLessThan(500 + 3 * hard.size());
  }

  /** Without leaving out what nobody saw, each subset of the writes is a state of its own. */
  @Test
  void manyWritesWithoutAnAnswerAreDecidedAtOnce() {
    StringBuilder text = new StringBuilder("1-2 write 1000");
    for (int i = 0; i < 60; i++) {
      text.append("; %d-? write %d".formatted(3 + i, i));
    }
    text.append("; 100-101 write 2000; 102-103 read → 1000");
    Linearizability checked =
        Linearizability.check(Register.EMPTY, history(text.toString()), looks(1_000, Budget.BYTES));
    assertThat(checked.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(checked.counterexample()).hasSize(3);
  }

  @Test
  void aCounterexampleIsSmallAndStandsAlone() {
    int found = 0;
    for (long seed = 0; seed < 20; seed++) {
      List<Operation> history = SimulatedGrid.registers(seed, 2_000, 5, Defect.STALE, 0.002);
      List<Operation> least =
          Linearizability.check(Register.EMPTY, history, Budget.of(Budget.TIME)).counterexample();
      if (!least.isEmpty()) {
        found++;
        assertThat(least).as("seed %d", seed).hasSizeLessThan(10);
        assertThat(verdict(Register.EMPTY, least)).isEqualTo(Verdict.INVALID);
      }
    }
    assertThat(found).isPositive();
  }

  @Test
  void aHistoryIsReadBackAsItWasWritten() throws IOException {
    StringWriter text = new StringWriter();
    try (HistoryFile file = new HistoryFile(text)) {
      file.invoked(0, "write", 7L, 1L);
      file.invoked(1, "read", 7L, Operation.NIL);
      file.completed(0, Outcome.OK, "write", 7L, Operation.NIL);
      file.completed(1, Outcome.OK, "read", 7L, 1L);
      file.invoked(0, "cas", 7L, List.of(2L, 3L));
      file.completed(0, Outcome.OK, "cas", 7L, false);
      file.invoked(1, "cas", 7L, List.of(1L, 4L));
      file.completed(1, Outcome.OK, "cas", 7L, true);
      file.invoked(0, "write", 7L, 5L);
      file.completed(0, Outcome.UNKNOWN, "write", 7L, Operation.NIL);
      file.invoked(1, "write", 8L, 6L);
      file.completed(1, Outcome.FAILED, "write", 8L, Operation.NIL);
      file.invoked(1, "write", 8L, 9L);
    }
    List<Operation> history = HistoryFile.read(text.toString());
    assertThat(history)
        .extracting(each -> each.key() + ": " + each.describe())
        .containsExactly(
            "7: write 1 ok",
            "7: read → 1",
            "7: cas [2, 3] → false",
            "7: cas [1, 4] → true",
            "7: write 5 → ?",
            "8: write 6 failed",
            "8: write 9 → ?");
    assertThat(history.get(1).invoked()).isLessThan(history.get(0).completed());
    assertThat(history.get(2).invoked()).isGreaterThan(history.get(1).completed());
    assertThat(verdict(Register.EMPTY, history)).isEqualTo(Verdict.VALID);
  }

  private static final String CALL =
      """
      {"process":0,"type":"invoke","f":"write","key":7,"value":1,"time":10}
      """;

  static Stream<String> malformed() {
    return Stream.of(
        "",
        "1\n",
        CALL.replace("\"time\":10", "\"time\":1.5"),
        CALL.replace("\"type\":\"invoke\",", ""),
        CALL.replace("invoke", "ok"),
        CALL + CALL.replace("10", "11"),
        CALL + CALL.replace("invoke", "ok"),
        CALL + CALL.replace("invoke", "ok").replace("10", "11").replace("7", "8"),
        CALL + CALL.replace("invoke", "ok").replace("10", "11").replace("write", "read"),
        CALL + CALL.substring(0, 30));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void malformedHistoriesAreRefused(String text) {
    assertThatThrownBy(() -> HistoryFile.read(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
