package io.pyrometer.chaos.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.chaos.protocol.Promise;
import io.pyrometer.chaos.trial.ChaosSummary.Span;
import io.pyrometer.history.HistoryFile;
import io.pyrometer.history.Operation;
import io.pyrometer.history.Timeline.Fault;
import io.pyrometer.history.Verdict;
import io.pyrometer.history.transaction.Isolation;
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
          {:process 0 :type :invoke :f :write :value [7 1] :time 1000000}
          {:process 0 :type :ok :f :write :value [7 1] :time 2000000}
          {:process 1 :type :invoke :f :write :value [7 2] :time 3000000}
          {:process 1 :type :ok :f :write :value [7 2] :time 4000000}
          {:process 2 :type :invoke :f :read :value [7 nil] :time 5000000}
          {:process 2 :type :ok :f :read :value [7 1] :time 8000000}
          {:process 3 :type :invoke :f :write :value [8 3] :time 8500000}
          {:process 3 :type :info :f :write :value [8 3] :time 8600000}
          """,
          true);

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
    assertThat(summary.text())
        .startsWith("No order of these operations on the key 7 explains their results:");
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
        {:process 0 :type :invoke :f :add :value [7 1] :time 10}
        {:process 0 :type :%s :f :add :value [7 1] :time 20}
        {:process 1 :type :invoke :f :read :value [7 nil] :time 30}
        {:process 1 :type :ok :f :read :value [7 %d] :time 40}
        """;
    assertThat(counted(history.formatted("ok", 1))).isEqualTo(Verdict.VALID);
    assertThat(counted(history.formatted("ok", 2))).isEqualTo(Verdict.INVALID);
    assertThat(counted(history.formatted("ok", 0))).isEqualTo(Verdict.INVALID);
    assertThat(counted(history.formatted("info", 0))).isEqualTo(Verdict.VALID);
    assertThat(counted(history.formatted("info", 2))).isEqualTo(Verdict.INVALID);
  }

  private static Verdict counted(String history) {
    return new HistoryCheck(HistoryFile.read(history, true), List.of(), 0)
        .judge(Optional.empty(), Promise.LINEARIZABLE, 1)
        .verdict();
  }

  @Test
  void transactionsAreJudgedByTheLevelThatIsPromised() {
    List<Operation> skew =
        HistoryFile.read(
            """
            {:process 0 :type :invoke :f :txn :value [[:r 1 nil] [:append 2 5]] :time 10}
            {:process 1 :type :invoke :f :txn :value [[:r 2 nil] [:append 1 6]] :time 11}
            {:process 0 :type :ok :f :txn :value [[:r 1 []] [:append 2 5]] :time 20}
            {:process 1 :type :ok :f :txn :value [[:r 2 []] [:append 1 6]] :time 21}
            """,
            false);
    HistoryCheck check = new HistoryCheck(skew, List.of(), 0);
    assertThat(
            check.judge(Optional.of(Isolation.READ_COMMITTED), Promise.LINEARIZABLE, 1).verdict())
        .isEqualTo(Verdict.VALID);
    ChaosSummary broken = check.judge(Optional.of(Isolation.SERIALIZABLE), Promise.LINEARIZABLE, 1);
    assertThat(broken.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(broken.promise()).isEqualTo("serializable");
    assertThat(broken.text())
        .startsWith("G2, write skew:")
        .contains("T1 replaced the version of 1 that T0 read");
  }
}
