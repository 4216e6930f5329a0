package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The logs are of a program that held 40 MiB and allocated 200 MiB/s (199.9 by its own count) with
 * a heap of 256 MiB; of each, what it logged from its first second to its fourth, without lines of
 * no interest here.
 */
class GcLogTest {
  private static final double MIB = 1 << 20;

  /** Pauses are counted with {@code grep -cE '\) ([YyOo]: )?Pause .*[0-9]ms *$'}. */
  @ParameterizedTest
  @CsvSource({
    "jdk17-g1, 6",
    "jdk17-serial, 9",
    "jdk17-parallel, 11",
    "jdk17-z, 30",
    "jdk17-shenandoah, 9",
    "jdk25-g1, 7",
    "jdk25-serial, 9",
    "jdk25-parallel, 11",
    "jdk25-z, 40",
    "jdk25-shenandoah, 6"
  })
  void everyCollectorsLogGivesTheRateTheLiveSetAndThePausesOfTheProgram(String name, int pauses)
      throws Exception {
    GcLog log = GcLog.read(Path.of("src/test/resources/gc", name + ".log"));
    assertThat(log.allocationRate().orElseThrow() / MIB).isCloseTo(200, within(20.0));
    // A collector counts whole regions and what it may not yet free.
    assertThat(log.liveSet().orElseThrow() / MIB).isBetween(40.0, 52.0);
    assertThat(log.pauses()).hasSize(pauses).allMatch(pause -> pause.millis() >= 0);
    assertThat(log.stops()).hasSizeGreaterThanOrEqualTo(pauses);
  }

  @Test
  void theNumbersOfALineAreThoseOfThePause() {
    GcLog log =
        GcLog.parse(
            Stream.of(
                "[0.125s][info][gc,start    ] GC(3) Pause Young (Normal) (G1 Evacuation Pause)",
                "[0.125s][info][gc          ] GC(3) Pause Young (Normal) (G1 Evacuation Pause)"
                    + " 42M->41M(256M) 4.817ms",
                "[0.126s][info][safepoint   ] Safepoint \"G1CollectForAllocation\", Time since"
                    + " last: 9259891 ns, Reaching safepoint: 4928 ns, Cleanup: 6309 ns, At"
                    + " safepoint: 4855272 ns, Total: 4866509 ns",
                "[0.225s][info][gc          ] GC(4) Pause Remark 61M->51M(256M) 0.5ms",
                "[0.230s][info][gc          ] GC(4) Concurrent Mark Cycle 12.345ms"));
    assertThat(log.pauses())
        .containsExactly(
            new GcLog.Pause(
                0.125, Optional.empty(), "Pause Young (Normal) (G1 Evacuation Pause)", 4.817),
            new GcLog.Pause(0.225, Optional.empty(), "Pause Remark", 0.5));
    assertThat(log.stops())
        .containsExactly(
            new GcLog.Pause(0.126, Optional.empty(), "G1CollectForAllocation", 4.866509));
    assertThat(log.liveSet()).contains(41 * MIB);
    assertThat(log.allocationRate().orElseThrow() / MIB).isCloseTo(200, within(1e-6));
  }

  @Test
  void aPauseHasTheTimeOfItsLine() {
    GcLog log =
        GcLog.parse(
            Stream.of(
                "[3.218s][1795387406865ms][info][gc          ] GC(3) Pause Young (Normal)"
                    + " (G1 Evacuation Pause) 42M->41M(256M) 4.817ms"));
    assertThat(log.pauses())
        .containsExactly(
            new GcLog.Pause(
                3.218,
                Optional.of(Instant.parse("2026-11-22T22:43:26.865Z")),
                "Pause Young (Normal) (G1 Evacuation Pause)",
                4.817));
    assertThat(log.liveSet()).contains(41 * MIB);
  }

  @Test
  void aLogWithDatesAloneCountsItsSecondsFrom1970() {
    GcLog log =
        GcLog.parse(
            Stream.of(
                "[2026-11-22T23:43:26.865+0100][info][gc] GC(3) Pause Full (Ergonomics)"
                    + " 42M->41M(256M) 4,5ms"));
    Instant ended = Instant.parse("2026-11-22T22:43:26.865Z");
    assertThat(log.pauses())
        .containsExactly(
            new GcLog.Pause(
                ended.toEpochMilli() / 1e3, Optional.of(ended), "Pause Full (Ergonomics)", 4.5));
  }

  @Test
  void aLogWithoutTwoCollectionsHasNoRate() {
    GcLog one = GcLog.parse(Stream.of("[1.0s][info][gc] GC(0) Pause Full (x) 9M->4M(9M) 1.0ms"));
    assertThat(one.allocationRate()).isEmpty();
    assertThat(one.liveSet()).contains(4 * MIB);
    GcLog none = GcLog.parse(Stream.of("", "what?", "[1.0s][info][gc] Using G1"));
    assertThat(none.liveSet()).isEmpty();
    assertThat(none.pauses()).isEmpty();
  }
}
