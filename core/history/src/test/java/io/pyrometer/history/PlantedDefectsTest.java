package io.pyrometer.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.history.SimulatedGrid.Defect;
import io.pyrometer.history.linear.Counter;
import io.pyrometer.history.linear.Linearizability;
import io.pyrometer.history.linear.Register;
import io.pyrometer.history.transaction.BankTotals;
import io.pyrometer.history.transaction.Isolation;
import io.pyrometer.history.transaction.TransactionCheck;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Defects that are planted in a correct store, found by its histories alone. */
class PlantedDefectsTest {
  private static final int OPERATIONS = 10_000;
  private static final int KEYS = 5;
  private static final double PROBABILITY = 0.001;

  /** A workload and its checker. */
  private enum Check {
    REGISTERS,
    COUNTERS,
    TRANSACTIONS,
    BANK;

    Verdict of(long seed, Defect defect) {
      return switch (this) {
        case REGISTERS ->
            Linearizability.check(
                    Register.EMPTY,
                    SimulatedGrid.registers(seed, OPERATIONS, KEYS, defect, PROBABILITY),
                    Bound.DEFAULT)
                .verdict();
        case COUNTERS ->
            Linearizability.check(
                    new Counter(),
                    SimulatedGrid.counters(seed, OPERATIONS, KEYS, defect, PROBABILITY),
                    Bound.DEFAULT)
                .verdict();
        case TRANSACTIONS ->
            TransactionCheck.of(
                    SimulatedGrid.transactions(seed, OPERATIONS, defect, PROBABILITY),
                    Isolation.STRICT_SERIALIZABLE,
                    false,
                    Bound.DEFAULT)
                .verdict();
        case BANK ->
            BankTotals.of(
                    SimulatedGrid.bank(seed, OPERATIONS, defect, PROBABILITY),
                    SimulatedGrid.total())
                .verdict();
      };
    }

    long found(Defect defect, int runs) {
      return LongStream.range(0, runs).filter(s -> of(s, defect) == Verdict.INVALID).count();
    }
  }

  /** By the check that the defect concerns. */
  private static long found(Defect defect, int runs) {
    return switch (defect) {
      case SPLIT ->
          Math.min(Check.TRANSACTIONS.found(defect, runs), Check.BANK.found(defect, runs));
      case TWICE ->
          Math.min(Check.COUNTERS.found(defect, runs), Check.REGISTERS.found(defect, runs));
      default -> Check.REGISTERS.found(defect, runs);
    };
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aDefectIsFoundInMostRuns(Defect defect) {
    assertThat(found(defect, 2)).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Check.class)
  void aCorrectStoreRaisesNoAlarm(Check check) {
    for (long seed = 0; seed < 2; seed++) {
      assertThat(check.of(seed, Defect.NONE)).isEqualTo(Verdict.VALID);
    }
  }

  /** Prints the table of lab/planted-defects.md. */
  @Test
  @Tag("simulation")
  void aDefectOfOneInAThousandIsFoundInAtLeast95Of100RunsAndACorrectStoreRaisesNoAlarm() {
    for (Defect defect : Defect.values()) {
      for (Check check : Check.values()) {
        int runs = defect == Defect.NONE ? 200 : 100;
        long found = check.found(defect, runs);
        System.out.printf("%-8s %-12s %d of %d%n", defect, check, found, runs);
        if (defect == Defect.NONE) {
          assertThat(found).isZero();
        }
      }
      if (defect != Defect.NONE) {
        assertThat(found(defect, 100)).isGreaterThanOrEqualTo(95);
      }
    }
  }
}
