package io.pyrometer.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.chaos.DefectiveGrid.Defect;
import io.pyrometer.chaos.history.Budget;
import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.chaos.history.Linearizability;
import io.pyrometer.chaos.history.Model.Counter;
import io.pyrometer.chaos.history.Model.Register;
import io.pyrometer.chaos.history.Operation;
import io.pyrometer.chaos.history.TransactionCheck;
import io.pyrometer.chaos.history.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Defects of a driver, found by the histories of real threads: all that a trial does but for its
 * processes. {@code PlantedDefectsTest} has the same for simulated time.
 */
class DefectiveGridTest {
  private static final String TRANSACTIONS = "chaos-transactions";
  private static final Size SHORT = new Size(2, 3_000, 0.02);

  @TempDir Path folder;

  private record Size(int runs, int operations, double probability) {}

  private Verdict verdict(Defect defect, String path, Size size, long seed) throws Exception {
    boolean transactions = path.equals(TRANSACTIONS);
    MemoryGrid correct =
        new MemoryGrid(
            transactions ? Optional.of(Isolation.STRICT_SERIALIZABLE) : Optional.empty());
    DefectiveGrid grid = new DefectiveGrid(correct, defect, size.probability(), seed);
    List<Operation> history = Recording.of(grid, path, size.operations(), 30_000, seed, folder);
    if (transactions) {
      return TransactionCheck.of(history, Isolation.STRICT_SERIALIZABLE, Budget.of(Budget.TIME))
          .verdict();
    }
    return path.equals(ChaosSettings.COUNTERS)
        ? Linearizability.check(new Counter(), history, Budget.of(Budget.TIME)).verdict()
        : Linearizability.check(Register.EMPTY, history, Budget.of(Budget.TIME)).verdict();
  }

  private long found(Defect defect, String path, Size size) throws Exception {
    long found = 0;
    for (long seed = 0; seed < size.runs(); seed++) {
      found += verdict(defect, path, size, seed) == Verdict.INVALID ? 1 : 0;
    }
    System.out.printf("| %s | %s | %d of %d |%n", defect, path, found, size.runs());
    return found;
  }

  private long found(Defect defect, Size size) throws Exception {
    long found = 0;
    for (String path : paths(defect)) {
      found += found(defect, path, size);
    }
    return found;
  }

  private static List<String> paths(Defect defect) {
    return switch (defect) {
      case NONE -> List.of(ChaosSettings.REGISTERS, ChaosSettings.COUNTERS, TRANSACTIONS);
      case TWICE -> List.of(ChaosSettings.COUNTERS);
      case SPLITS -> List.of(TRANSACTIONS);
      case LOSES, REORDERS, STALE -> List.of(ChaosSettings.REGISTERS);
    };
  }

  @ParameterizedTest
  @EnumSource
  void aDefectIsFoundAndACorrectDriverRaisesNoAlarm(Defect defect) throws Exception {
    assertThat(found(defect, SHORT)).matches(n -> (n > 0) == (defect != Defect.NONE));
  }

  /** The goals of the checkers; prints how many runs showed each defect. */
  @ParameterizedTest
  @EnumSource
  @Tag("endurance")
  void aDefectIsFoundInMostOf100RunsAndACorrectDriverRaisesNoAlarmIn200(Defect defect)
      throws Exception {
    boolean none = defect == Defect.NONE;
    long found = found(defect, new Size(none ? 200 : 100, 30_000, 0.001));
    assertThat(found).matches(n -> none ? n == 0 : n >= 95);
  }
}
