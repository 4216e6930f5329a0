package io.pyrometer.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.chaos.ChaosSummary.Span;
import io.pyrometer.chaos.history.HistoryFile;
import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.chaos.history.Operation;
import io.pyrometer.chaos.history.Timeline.Fault;
import io.pyrometer.chaos.history.Verdict;
import io.pyrometer.protocol.message.Messages;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HistoryCheckTest {
  private static final List<Fault> FAULTS =
      List.of(
          new Fault("kill node-2", 4_500_000, 9_000_000),
          new Fault("pause node-0", 90_000_000, 95_000_000));

  private static final List<Operation> STALE =
      HistoryFile.read(
          """
          {"process":0,"type":"invoke","f":"write","key":7,"value":1,"time":1000000}
          {"process":0,"type":"ok","f":"write","key":7,"value":null,"time":2000000}
          {"process":1,"type":"invoke","f":"write","key":7,"value":2,"time":3000000}
          {"process":1,"type":"ok","f":"write","key":7,"value":null,"time":4000000}
          {"process":2,"type":"invoke","f":"read","key":7,"value":null,"time":5000000}
          {"process":2,"type":"ok","f":"read","key":7,"value":1,"time":8000000}
          {"process":3,"type":"invoke","f":"write","key":8,"value":3,"time":8500000}
          {"process":3,"type":"info","f":"write","key":8,"value":null,"time":8600000}
          """);

  @Test
  void aBrokenPromiseIsShownWithTheFaultsThatItOverlaps() {
    ChaosSummary summary =
        new HistoryCheck(STALE, FAULTS, 0).judge(Optional.empty(), Promise.LINEARIZABLE, 42);
    assertThat(summary.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(summary.operations()).isEqualTo(4);
    assertThat(summary.unanswered()).isEqualTo(1);
    assertThat(summary.seed()).isEqualTo(42);
    assertThat(summary.outageSeconds()).isCloseTo(0.004, within(1e-9));
    assertThat(summary.faults())
        .extracting(Span::name)
        .containsExactly("kill node-2", "pause node-0");
    assertThat(summary.counterexample())
        .extracting(Span::name)
        .containsExactly("write 1 ok", "write 2 ok", "read → 1", "kill node-2");
    assertThat(summary.text()).startsWith(Messages.format("chaos.no-order").formatted(7));
    assertThat(summary.text().lines().toList())
        .hasSize(5)
        .anyMatch(line -> line.matches(" +0\\.0035 s +fault: kill node-2 +├░+┤"))
        .anyMatch(line -> line.matches(" +0\\.0040 s +process 2: read → 1 +├─+┤"));
  }

  @Test
  void callsThatHangToTheEndCountAsAnOutage() {
    ChaosSummary summary =
        new HistoryCheck(STALE, List.of(), 30_000_000)
            .judge(Optional.empty(), Promise.LINEARIZABLE, 42);
    assertThat(summary.outageSeconds()).isCloseTo(0.022, within(1e-9));
  }

  @Test
  void operationsAreJudgedByWhatTheProductPromises() {
    HistoryCheck stale = new HistoryCheck(STALE, FAULTS, 0);
    ChaosSummary regular = stale.judge(Optional.empty(), Promise.REGULAR, 42);
    assertThat(regular.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(regular.promise()).isEqualTo("regular");
    assertThat(regular.unpromised()).isFalse();
    ChaosSummary none = stale.judge(Optional.empty(), Promise.NONE, 42);
    assertThat(none.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(none.promise()).isEqualTo("linearizable");
    assertThat(none.unpromised()).isTrue();
  }

  @Test
  void anIncrementThatWasAppliedTwiceIsFound() {
    String history =
        """
        {"process":0,"type":"invoke","f":"add","key":7,"value":1,"time":10}
        {"process":0,"type":"%s","f":"add","key":7,"value":null,"time":20}
        {"process":1,"type":"invoke","f":"read","key":7,"value":null,"time":30}
        {"process":1,"type":"ok","f":"read","key":7,"value":%d,"time":40}
        """;
    assertThat(counted(history.formatted("ok", 1))).isEqualTo(Verdict.VALID);
    assertThat(counted(history.formatted("ok", 2))).isEqualTo(Verdict.INVALID);
    assertThat(counted(history.formatted("ok", 0))).isEqualTo(Verdict.INVALID);
    assertThat(counted(history.formatted("info", 0))).isEqualTo(Verdict.VALID);
    assertThat(counted(history.formatted("info", 2))).isEqualTo(Verdict.INVALID);
  }

  private static Verdict counted(String history) {
    return new HistoryCheck(HistoryFile.read(history), List.of(), 0)
        .judge(Optional.empty(), Promise.LINEARIZABLE, 1)
        .verdict();
  }

  @Test
  void transactionsAreJudgedByTheLevelThatIsPromised() {
    List<Operation> skew =
        HistoryFile.read(
            """
            {"process":0,"type":"invoke","f":"txn","key":null,"value":[["r", 1, null], ["append", 2, 5]],"time":10}
            {"process":1,"type":"invoke","f":"txn","key":null,"value":[["r", 2, null], ["append", 1, 6]],"time":11}
            {"process":0,"type":"ok","f":"txn","key":null,"value":[["r", 1, []], ["append", 2, 5]],"time":20}
            {"process":1,"type":"ok","f":"txn","key":null,"value":[["r", 2, []], ["append", 1, 6]],"time":21}
            """);
    HistoryCheck check = new HistoryCheck(skew, List.of(), 0);
    assertThat(
            check.judge(Optional.of(Isolation.READ_COMMITTED), Promise.LINEARIZABLE, 1).verdict())
        .isEqualTo(Verdict.VALID);
    ChaosSummary broken = check.judge(Optional.of(Isolation.SERIALIZABLE), Promise.LINEARIZABLE, 1);
    assertThat(broken.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(broken.promise()).isEqualTo("serializable");
    assertThat(broken.text())
        .startsWith("G2, ")
        .contains(Messages.format("chaos.edge-rw").formatted("T0", "T1", 1))
        .contains("T1: r 2 [] append 1 6");
  }

  @Test
  void aReadOfAValueThatNobodyWroteHasAName() {
    List<Operation> history =
        HistoryFile.read(
            """
            {"process":0,"type":"invoke","f":"write","key":7,"value":1,"time":10}
            {"process":0,"type":"ok","f":"write","key":7,"value":null,"time":20}
            {"process":1,"type":"invoke","f":"read","key":7,"value":null,"time":30}
            {"process":1,"type":"ok","f":"read","key":7,"value":9,"time":40}
            """);
    for (Promise promise : Promise.values()) {
      ChaosSummary summary =
          new HistoryCheck(history, List.of(), 0).judge(Optional.empty(), promise, 1);
      assertThat(summary.verdict()).isEqualTo(Verdict.INVALID);
      assertThat(summary.text()).startsWith("unwritten-read:");
    }
  }

  @Test
  void aCounterexampleTakesTenLinesAtMost() {
    StringBuilder events = new StringBuilder();
    StringBuilder calls = new StringBuilder();
    // Twenty reads of one transaction each, around a circle of twelve keys.
    for (int i = 0; i < 12; i++) {
      events.append(
          """
          {"process":%d,"type":"invoke","f":"txn","key":null,"value":[["r",%d,null],["append",%d,1]],"time":%d}
          """
              .formatted(i, i, (i + 1) % 12, 10 + i));
      calls.append(
          """
          {"process":%d,"type":"ok","f":"txn","key":null,"value":[["r",%d,[]],["append",%d,1]],"time":%d}
          """
              .formatted(i, i, (i + 1) % 12, 50 + i));
    }
    ChaosSummary summary =
        new HistoryCheck(HistoryFile.read(events.append(calls).toString()), List.of(), 0)
            .judge(Optional.of(Isolation.SERIALIZABLE), Promise.LINEARIZABLE, 1);
    assertThat(summary.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(summary.counterexample()).hasSize(12);
    assertThat(summary.text().lines()).hasSize(10).last().isEqualTo("… and 4 more");
  }
}
