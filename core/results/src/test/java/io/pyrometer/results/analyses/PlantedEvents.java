package io.pyrometer.results.analyses;

import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.JsonLines;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.results.MadeUpRun;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Writes events of one kind into the files of a trial. */
@FunctionalInterface
interface PlantedEvents {
  /** When the measured part of every trial begins. */
  Instant BEGUN = Instant.parse("2026-11-22T22:43:20Z");

  /** How long calls wait for an event. */
  double SECONDS = 0.03;

  /** Of a server. */
  PlantedEvents PAUSES = log("[info][gc] GC(3) Pause Full (x) 9M->4M(9M) 30.0ms");

  /**
   * @param begins of events; seconds since the begin of the measured part
   * @return the trial with the files
   */
  TrialRecord into(RunFolder folder, TrialRecord trial, double[] begins) throws IOException;

  /** Of every kind of event what it is called as a cause. */
  static Stream<Arguments> kinds() {
    TelemetryKind stalls = TelemetryKind.STALLS;
    TelemetryKind grid = TelemetryKind.GRID;
    String safepoint =
        "[info][safepoint] Safepoint \"ThreadDump\", Time since last: 9 ns, Total: 30000000 ns";
    return Stream.of(
        Arguments.of("GC pauses of servers", PAUSES),
        Arguments.of("compilation", compilation(SECONDS)),
        Arguments.of("safepoints of servers", log(safepoint)),
        Arguments.of("stalls of clients", activities(stalls, "agent-0", GridActivity.STALL, 30)),
        Arguments.of("checkpoint of servers", activities(grid, "node-0", "checkpoint", 30)),
        Arguments.of("WAL rotation of servers", activities(grid, "node-0", "WAL rotation", 10)),
        Arguments.of("throttling of servers", cpu("node-0", CpuLog.What.THROTTLED)),
        Arguments.of("other processes", cpu(CpuLog.MACHINE, CpuLog.What.OTHERS)),
        Arguments.of("CPU steal", cpu(CpuLog.MACHINE, CpuLog.What.STOLEN)),
        Arguments.of("other processes of w1", cpu(CpuLog.MACHINE + " w1", CpuLog.What.OTHERS)),
        Arguments.of("CPU steal of w1", cpu(CpuLog.MACHINE + " w1", CpuLog.What.STOLEN)));
  }

  /** By turns of a server and of the client; by the second both compile all the time. */
  static PlantedEvents compilation(double seconds) {
    return (folder, trial, bursts) -> {
      List<String> processes = List.of("node-0", "agent-0");
      String cpu = "trials/" + trial.id() + ".cpu.jsonl";
      JsonLines.write(
          folder.file(cpu),
          processes.stream()
              .map(
                  of ->
                      new CpuLog.Interval(0, 2.5, of, CpuLog.What.COMPILED, 0.3, Optional.empty()))
              .toList());
      TrialRecord made = plus(trial, new Artefact(CpuLog.KIND, "", cpu));
      long length = Math.round(1e3 * seconds);
      for (int i = 0; i < processes.size(); i++) {
        int which = i;
        double[] own =
            IntStream.range(0, bursts.length)
                .filter(burst -> burst % 2 == which)
                .mapToDouble(burst -> bursts[burst] + seconds - SECONDS)
                .toArray();
        made =
            activities(TelemetryKind.STALLS, processes.get(i), GridActivity.COMPILATION, length)
                .into(folder, made, own);
      }
      return made;
    };
  }

  /** Of seven kinds, some short and frequent and others long and rare, at random times. */
  static PlantedEvents causeless(Random random) {
    TelemetryKind stalls = TelemetryKind.STALLS;
    TelemetryKind grid = TelemetryKind.GRID;
    Map<PlantedEvents, Integer> kinds = new LinkedHashMap<>();
    kinds.put(PAUSES, 3);
    kinds.put(activities(grid, "node-0", "short", 1), 40);
    kinds.put(activities(stalls, "node-0", GridActivity.STALL, 25), 4);
    kinds.put(activities(grid, "node-0", "WAL rotation", 10), 2);
    kinds.put(activities(grid, "node-1", "checkpoint", 800), 1);
    kinds.put(activities(stalls, "node-1", GridActivity.COMPILATION, 200), 2);
    kinds.put(cpu(CpuLog.MACHINE, CpuLog.What.OTHERS), 1);
    return (folder, trial, begins) -> {
      TrialRecord made = trial;
      for (Map.Entry<PlantedEvents, Integer> each : kinds.entrySet()) {
        made =
            each.getKey()
                .into(folder, made, random.doubles(each.getValue(), 0, 2.4).sorted().toArray());
      }
      return made;
    };
  }

  private static long millis(double seconds) {
    return BEGUN.toEpochMilli() + Math.round(1e3 * seconds);
  }

  /** One line each at its end. */
  private static PlantedEvents log(String message) {
    return (folder, trial, begins) ->
        with(
            folder,
            trial,
            "gc-log",
            "node-0",
            "gc.log",
            Arrays.stream(begins)
                .mapToObj(begin -> "[9.5s][%dms]%s\n".formatted(millis(begin + SECONDS), message))
                .collect(Collectors.joining()));
  }

  private static PlantedEvents activities(
      TelemetryKind device, String process, String kind, long millis) {
    return (folder, trial, begins) ->
        with(
            folder,
            trial,
            device.id(),
            process,
            GridActivity.FILE,
            Json.LINES.writeValueAsString(
                Map.of(
                    kind,
                    Arrays.stream(begins)
                        .mapToObj(
                            begin -> new GridActivity(millis(begin + SECONDS) - millis, millis))
                        .toList())));
  }

  private static PlantedEvents cpu(String process, CpuLog.What what) {
    return (folder, trial, begins) -> {
      JsonLines.write(
          folder.file("trials/" + trial.id() + ".cpu.jsonl"),
          Arrays.stream(begins)
              .mapToObj(
                  begin ->
                      new CpuLog.Interval(
                          begin, begin + SECONDS, process, what, 2, Optional.empty()))
              .toList());
      return plus(trial, new Artefact(CpuLog.KIND, "", "trials/" + trial.id() + ".cpu.jsonl"));
    };
  }

  private static TrialRecord with(
      RunFolder folder, TrialRecord trial, String kind, String process, String name, String text) {
    String file = "trials/%s-%s-%s-%s".formatted(trial.id(), kind, process, name);
    folder.writeText(file, text);
    return plus(trial, new Artefact(kind, process, file));
  }

  private static TrialRecord plus(TrialRecord trial, Artefact artefact) {
    return MadeUpRun.with(
        trial, Stream.concat(trial.artefacts().stream(), Stream.of(artefact)).toList());
  }
}
