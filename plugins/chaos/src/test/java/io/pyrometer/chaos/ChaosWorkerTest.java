package io.pyrometer.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.chaos.history.Budget;
import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.chaos.history.Linearizability;
import io.pyrometer.chaos.history.Model.Counter;
import io.pyrometer.chaos.history.Model.Register;
import io.pyrometer.chaos.history.Operation;
import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.chaos.history.TransactionCheck;
import io.pyrometer.chaos.history.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent calls and records, over a store in memory. */
class ChaosWorkerTest {
  private static final int OPERATIONS = 1_500;

  @TempDir Path folder;

  private List<Operation> record(MemoryGrid grid) throws Exception {
    return record(grid, ChaosSettings.REGISTERS);
  }

  private List<Operation> record(MemoryGrid grid, String path) throws Exception {
    return Recording.of(grid, path, OPERATIONS, 20_000, 7, folder);
  }

  @Test
  void theHistoryOfACorrectStoreIsLinearizable() throws Exception {
    List<Operation> history = record(new MemoryGrid(Optional.empty()));
    assertThat(history).hasSizeGreaterThanOrEqualTo(OPERATIONS);
    assertThat(history).extracting(Operation::function).contains("read", "write", "cas");
    Linearizability checked =
        Linearizability.check(Register.EMPTY, history, Budget.of(Budget.TIME));
    assertThat(checked.verdict()).isEqualTo(Verdict.VALID);
    assertThat(checked.keys()).as("keys are replaced").isGreaterThan(3);
  }

  /** A write that no caller reads back is found by the reads in the end alone. */
  @Test
  void theLastWriteOfAKeyThatIsLostIsFound() throws Exception {
    MemoryGrid losing =
        new MemoryGrid(Optional.empty()) {
          @Override
          OptionalLong read(int process, long key) {
            return process == Recording.CALLERS ? OptionalLong.empty() : super.read(process, key);
          }
        };
    Linearizability checked =
        Linearizability.check(Register.EMPTY, record(losing), Budget.of(Budget.TIME));
    assertThat(checked.verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void incrementsAreCountedOnce() throws Exception {
    List<Operation> history = record(new MemoryGrid(Optional.empty()), ChaosSettings.COUNTERS);
    assertThat(history).extracting(Operation::function).containsOnly("read", "add");
    assertThat(Linearizability.check(new Counter(), history, Budget.of(Budget.TIME)).verdict())
        .isEqualTo(Verdict.VALID);
  }

  @Test
  void aCallWithoutAnAnswerIsUnknownAndEndsItsProcess() throws Exception {
    MemoryGrid losing =
        new MemoryGrid(Optional.empty()) {
          @Override
          void afterWrite(int process) {
            if (process == 1) {
              throw new IllegalStateException("connection lost");
            }
          }
        };
    List<Operation> history = record(losing);
    assertThat(history)
        .filteredOn(operation -> operation.outcome() == Outcome.UNKNOWN)
        .hasSizeGreaterThan(1)
        .allMatch(operation -> operation.function().equals("write"))
        .extracting(Operation::process)
        .doesNotHaveDuplicates();
    assertThat(Linearizability.check(Register.EMPTY, history, Budget.of(Budget.TIME)).verdict())
        .isNotEqualTo(Verdict.INVALID);
  }

  @Test
  void theHistoryOfTransactionsIsSerializable() throws Exception {
    List<Operation> history = record(new MemoryGrid(Optional.of(Isolation.STRICT_SERIALIZABLE)));
    TransactionCheck checked =
        TransactionCheck.of(history, Isolation.STRICT_SERIALIZABLE, Budget.of(Budget.TIME));
    assertThat(checked.anomalies()).isEmpty();
    assertThat(checked.transactions()).isGreaterThanOrEqualTo(OPERATIONS);
  }
}
