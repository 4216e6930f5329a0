package io.pyrometer.journal;

import io.pyrometer.journal.TrialResult.Check;
import io.pyrometer.journal.TrialResult.Outcome;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Trials as the journal holds them, made up. */
public final class Trials {
  private Trials() {}

  public static TrialResult ok(String id, int attempt, Check... validity) {
    return of(id, 0, attempt, "put", Outcome.OK, 1000, validity);
  }

  public static TrialResult of(
      String id,
      int block,
      int attempt,
      String path,
      Outcome outcome,
      double throughput,
      Check... validity) {
    return new TrialResult(
        TrialResult.SCHEMA,
        id,
        0,
        block,
        attempt,
        Map.of("path", path),
        Job.WRITE,
        Settings.NONE.with("path", path),
        "2026-11-20T00:00:00Z",
        new TrialResult.Phases(1, 2, 3, 4, 5),
        outcome,
        outcome == Outcome.OK ? Optional.empty() : Optional.of("It broke."),
        new TrialResult.WarmUp(true, 2, "made up"),
        List.of(10L, 20L),
        1,
        2.5,
        2500,
        2500,
        0,
        List.of(),
        outcome == Outcome.OK ? Optional.of(throughput) : Optional.empty(),
        Optional.of(3.5),
        Map.of("node-0", 1.0),
        Map.of(),
        Optional.empty(),
        Map.of("backups", "1"),
        List.of(validity));
  }

  /** A probe that found so many stale keys. */
  public static ProbeResult probe(ProbeKind kind, String path, long stale) {
    return new ProbeResult(
        kind,
        ProbeResult.SCHEMA,
        Map.of("path", path),
        path,
        "2026-11-21T00:00:00Z",
        Optional.empty(),
        Optional.of(new ProbeResult.Harm(100_000, 2_000, stale, 0, 0, List.of(), 0.1)));
  }

  public static Check steal() {
    return new Check("steal", 5, 1, "%", true);
  }
}
