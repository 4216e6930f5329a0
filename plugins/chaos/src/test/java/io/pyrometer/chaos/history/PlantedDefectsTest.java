package io.pyrometer.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.chaos.history.Model.Counter;
import io.pyrometer.chaos.history.Model.Register;
import io.pyrometer.chaos.history.SimulatedGrid.Defect;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Defects that are planted in a correct store, found by its histories alone. */
class PlantedDefectsTest {
  /** What a trial of 75 s records at the default rate. */
  private static final int OPERATIONS = 30_000;

  private static final int TRANSACTION_CALLS = 10_000;
  private static final int KEYS = 5;
  private static final double PROBABILITY = 0.001;

  /** A workload and its checker. */
  private enum Check {
    REGISTERS,
    REGULAR,
    COUNTERS,
    TRANSACTIONS;

    Verdict of(long seed, Defect defect) {
      Budget budget = Budget.of(Budget.TIME);
      List<Operation> history =
          switch (this) {
            case REGISTERS, REGULAR ->
                SimulatedGrid.registers(seed, OPERATIONS, KEYS, defect, PROBABILITY);
            case COUNTERS -> SimulatedGrid.counters(seed, OPERATIONS, KEYS, defect, PROBABILITY);
            case TRANSACTIONS ->
                SimulatedGrid.transactions(seed, TRANSACTION_CALLS, defect, PROBABILITY);
          };
      return switch (this) {
        case REGISTERS -> Linearizability.check(Register.EMPTY, history, budget).verdict();
        case REGULAR ->
            Linearizability.checkEachRead(Register.OF_WRITES, history, budget).verdict();
        case COUNTERS -> Linearizability.check(new Counter(), history, budget).verdict();
        case TRANSACTIONS ->
            TransactionCheck.of(history, Isolation.STRICT_SERIALIZABLE, budget).verdict();
      };
    }

    long found(Defect defect, int runs) {
      return LongStream.range(0, runs).filter(s -> of(s, defect) == Verdict.INVALID).count();
    }
  }

  /** The checks that a defect concerns. */
  private static List<Check> checks(Defect defect) {
    return switch (defect) {
      case NONE -> List.of(Check.values());
      case SPLIT -> List.of(Check.TRANSACTIONS);
      case TWICE -> List.of(Check.REGISTERS, Check.COUNTERS);
      default -> List.of(Check.REGISTERS, Check.REGULAR);
    };
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aDefectIsFoundInMostRuns(Defect defect) {
    assertThat(checks(defect)).allSatisfy(check -> assertThat(check.found(defect, 2)).isPositive());
  }

  @ParameterizedTest
  @EnumSource(Check.class)
  void aCorrectStoreRaisesNoAlarm(Check check) {
    for (long seed = 0; seed < 2; seed++) {
      assertThat(check.of(seed, Defect.NONE)).isEqualTo(Verdict.VALID);
    }
  }

  /**
   * Prints the table of lab/planted-faults.md. What a regular register allows hides some defects.
   */
  @ParameterizedTest
  @EnumSource
  @Tag("simulation")
  void aDefectIsFoundInMost100RunsAndACorrectStoreRaisesNoAlarmIn200(Defect defect) {
    int runs = defect == Defect.NONE ? 200 : 100;
    for (Check check : checks(defect)) {
      long found = check.found(defect, runs);
      System.out.printf("| %s | %s | %d of %d |%n", defect, check, found, runs);
      if (defect == Defect.NONE) {
        assertThat(found).isZero();
      } else {
        assertThat(found).isGreaterThanOrEqualTo(check == Check.REGULAR ? 85 : 95);
      }
    }
  }
}
