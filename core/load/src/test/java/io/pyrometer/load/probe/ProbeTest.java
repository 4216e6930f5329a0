package io.pyrometer.load.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.load.Records;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A probe must find the stale and lost keys of a path, and none where there are none. */
class ProbeTest {
  private static final int KEYS = 400;

  private static ProbeCounts probed(ProbeKind kind, LeakyMap.Fault fault) throws Exception {
    Records records = records(0);
    LeakyMap map = new LeakyMap(fault, records);
    Probe probe = probe(kind, records, map);
    probe.begin();
    if (kind.endsServer()) {
      map.awaitCalls(200);
      probe.mark();
    }
    return probe.end();
  }

  private static Probe probe(ProbeKind kind, Records records, LeakyMap map) {
    return probe(kind, records, map, 0.3, 100, "write");
  }

  private static Probe probe(
      ProbeKind kind,
      Records records,
      LeakyMap map,
      double seconds,
      int extension,
      String... operations) {
    Settings settings = new Settings(Map.of("path", "leaky", "records", KEYS, "threads", 2));
    TrialSpec trial = new TrialSpec("t", 0, 0, Map.of(), Job.WRITE, settings, records.shape(), 7);
    return new Probe(
        kind, trial, records, true, seconds, extension, thread -> map.path(operations), map);
  }

  /** Records of one number. */
  static Records records(int cardinality) {
    FieldShape field =
        new FieldShape("price", FieldType.LONG, 0, cardinality, 0, 1e9, List.of(), false);
    RecordShape shape = new RecordShape("thing", Optional.empty(), List.of(field));
    return Records.of(shape, Settings.NONE, 3);
  }

  @ParameterizedTest
  @EnumSource(ProbeKind.class)
  void aPathThatKeepsItsPromisesHarmsNothing(ProbeKind kind) throws Exception {
    ProbeCounts found = probed(kind, LeakyMap.Fault.NONE);
    assertThat(found.writes()).isPositive();
    assertThat(found.checked()).isPositive();
    assertThat(found.staleOrLost()).isZero();
    assertThat(found.failedCalls()).isZero();
  }

  @Test
  void theFirstVersionThatStaysIsStale() throws Exception {
    ProbeCounts found = probed(ProbeKind.ORDER, LeakyMap.Fault.KEEPS_THE_FIRST);
    assertThat(found.stale()).isGreaterThan(KEYS / 2);
    assertThat(found.lost()).isZero();
  }

  @Test
  void whatIsLostWhileAServerStopsIsNotWrittenAgain() throws Exception {
    Records records = records(0);
    LeakyMap map = new LeakyMap(LeakyMap.Fault.NONE, records);
    Probe probe = probe(ProbeKind.STOP, records, map, 30, 1, "write");
    probe.begin();
    map.awaitMoreCalls(200);
    map.loses = true;
    probe.mark();
    map.awaitMoreCalls(200);
    probe.mark();
    map.awaitMoreCalls(200);
    map.loses = false;
    map.awaitMoreCalls(200);
    assertThat(probe.end().lost()).isGreaterThan(KEYS / 20);
  }

  @ParameterizedTest
  @EnumSource(names = {"KILL", "STOP"})
  void anEntryThatVanishesIsLost(ProbeKind kind) throws Exception {
    ProbeCounts found = probed(kind, LeakyMap.Fault.FORGETS_EVERY_FIFTH_KEY);
    assertThat(found.lost()).isBetween(1L, found.checked() / 3);
    assertThat(found.stale()).isZero();
  }

  @Test
  void aReaderThatLagsBehindIsSeen() throws Exception {
    ProbeCounts found = probed(ProbeKind.READ, LeakyMap.Fault.READS_LAG);
    assertThat(found.stale()).isGreaterThan(found.checked() / 2);
  }

  @Test
  void aWriteThatFailedIsNotAskedFor() throws Exception {
    ProbeCounts found = probed(ProbeKind.ORDER, LeakyMap.Fault.REFUSES_EVERY_THIRD_CALL);
    assertThat(found.failedCalls()).isPositive();
    assertThat(found.errors()).containsExactly("IllegalStateException: refused");
    assertThat(found.staleOrLost()).isZero();
  }

  @Test
  void aMixOfReadsAndWritesIsProbedByItsWrites() throws Exception {
    Records records = records(0);
    LeakyMap map = new LeakyMap(LeakyMap.Fault.NONE, records);
    Probe probe = probe(ProbeKind.ORDER, records, map, 0.3, 100, "read", "write");
    probe.begin();
    ProbeCounts found = probe.end();
    assertThat(found.checked()).isPositive();
    assertThat(found.staleOrLost()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"ORDER", "READ"})
  void aSlowPathGetsTheTimeForEnoughKeys(ProbeKind kind) throws Exception {
    Records records = records(0);
    for (boolean extended : new boolean[] {false, true}) {
      LeakyMap map = new LeakyMap(LeakyMap.Fault.IS_SLOW, records);
      int extension = extended ? 1_000_000 : 1;
      Probe probe = probe(kind, records, map, 0.01, extension, "write");
      probe.begin();
      assertThat(probe.end().tested()).isEqualTo(extended);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ORDER", "READ"})
  void recordsThatTheGridMayDropAreNotLost(ProbeKind kind) throws Exception {
    assertThat(probed(kind, LeakyMap.Fault.DROPS_EVERY_FIFTH_KEY).lost()).isZero();
    assertThat(probed(kind, LeakyMap.Fault.FORGETS_EVERY_FIFTH_KEY).lost()).isPositive();
  }

  @Test
  void recordsThatAreAllAlikeAreRefused() {
    Records alike = records(2);
    LeakyMap map = new LeakyMap(LeakyMap.Fault.NONE, alike);
    assertThatThrownBy(() -> probe(ProbeKind.ORDER, alike, map))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
