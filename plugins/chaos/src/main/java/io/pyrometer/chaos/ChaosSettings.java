package io.pyrometer.chaos;

import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The settings of trials under faults. A driver adds them to those of each of its paths. */
public final class ChaosSettings {
  /** The path of every product that reads, writes and compares and sets. */
  public static final String REGISTERS = "chaos-registers";

  /** The path of every product that increments on the servers. */
  public static final String COUNTERS = "chaos-counters";

  public static final SettingKey<Double> OPERATIONS_RATE =
      SettingKey.decimal(
              "operations-rate", SettingDescription.Type.DECIMAL, Scope.LOAD, 400.0, 1, 1e5)
          .meaning("Operations per second that all processes begin together.");
  public static final SettingKey<Integer> CALLERS =
      SettingKey.integer("callers", Scope.LOAD, 8, 1, 64)
          .meaning("Processes, in the sense of a history, that call the grid concurrently.");
  public static final SettingKey<Integer> KEYS =
      SettingKey.integer("live-keys", Scope.LOAD, 4, 1, 1_000).meaning("Keys in use at any time.");
  public static final SettingKey<Integer> KEY_OPERATIONS =
      SettingKey.integer("key-operations", Scope.LOAD, 200, 10, 100_000)
          .meaning(
              "Operations of a key before a new one takes its place, which bounds the time of the"
                  + " check.");
  public static final SettingKey<Double> FAULT_FOR =
      SettingKey.seconds("fault-for", Scope.LOAD, 3.0, 0.1, 3_600)
          .meaning("How long a fault lasts.");
  public static final SettingKey<Double> FAULT_GAP =
      SettingKey.seconds("fault-gap", Scope.LOAD, 2.0, 0.1, 3_600)
          .meaning("Time from the healing of a fault, or the start, to the next fault.");
  public static final SettingKey<String> FAULT_ORDER =
      SettingKey.choice("fault-order", Scope.LOAD, "random", "listed")
          .meaning(
              "Whether the seed draws each fault, its server and the gap before it, or the faults"
                  + " come as listed, each on the last server.");

  /** The faults that servers are started for, which follow from all faults of a trial. */
  public static final SettingKey<List<String>> PREPARED = prepared(List.of(FaultKind.values()));

  /** The setting of drivers that can store entries on disk. */
  private static final String PERSISTENCE = "persistence";

  /** Every kind that any driver offers. */
  public static final SettingKey<List<String>> FAULTS = faults(List.of(FaultKind.values()));

  private ChaosSettings() {}

  private static SettingKey<List<String>> faults(List<FaultKind> kinds) {
    return SettingKey.names("faults", Scope.LOAD, kinds.stream().map(FaultKind::word).toList())
        .meaning("Faults in the measured part, one after another until it ends.");
  }

  private static SettingKey<List<String>> prepared(List<FaultKind> kinds) {
    List<String> words =
        kinds.stream().filter(FaultKind.PREPARED::contains).map(FaultKind::word).toList();
    return SettingKey.names("prepared-for", Scope.PROCESS, words)
        .meaning("Faults that servers are started for; follows from 'faults'.");
  }

  /**
   * A path.
   *
   * @param kinds the faults that the product can take
   * @param own settings of the path
   */
  public static PathDescription path(
      String name, String summary, List<FaultKind> kinds, SettingKey<?>... own) {
    return new PathDescription(
        name, ChaosMessages.JOB, false, summary, Optional.empty(), with(kinds, own));
  }

  /** Returns whether entries are stored on disk. */
  public static boolean persistent(Settings trial) {
    return trial.has(PERSISTENCE) && trial.flag(PERSISTENCE);
  }

  /** Returns whether a fault of the trial is one of these. */
  public static boolean anyOf(Settings trial, List<FaultKind> kinds) {
    return kinds.stream().anyMatch(kind -> trial.get(FAULTS).contains(kind.word()));
  }

  private static List<SettingDescription> with(List<FaultKind> kinds, SettingKey<?>... own) {
    Stream<SettingKey<?>> common =
        Stream.of(
            OPERATIONS_RATE,
            CALLERS,
            KEYS,
            KEY_OPERATIONS,
            faults(kinds),
            FAULT_FOR,
            FAULT_GAP,
            FAULT_ORDER,
            prepared(kinds));
    return SettingKey.descriptions(
        Stream.concat(common, Stream.of(own)).toArray(SettingKey<?>[]::new));
  }
}
