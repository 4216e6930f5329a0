package io.pyrometer.chaos;

import io.pyrometer.protocol.DeclaredSettings;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The settings of trials under faults. A driver adds them to those of each of its paths. */
public final class ChaosSettings {
  /** The path of every product that reads, writes and compares and sets. */
  public static final String REGISTERS = "chaos-registers";

  /** The path of every product that increments on the servers. */
  public static final String COUNTERS = "chaos-counters";

  private static final DeclaredSettings DECLARED = DeclaredSettings.beside(ChaosSettings.class);

  public static final SettingKey<Double> OPERATIONS_RATE =
      DECLARED.key("operations-rate", Settings::decimal);
  public static final SettingKey<Integer> CALLERS = DECLARED.key("callers", Settings::integer);
  public static final SettingKey<Integer> KEYS = DECLARED.key("live-keys", Settings::integer);
  public static final SettingKey<Integer> KEY_OPERATIONS =
      DECLARED.key("key-operations", Settings::integer);
  public static final SettingKey<Double> FAULT_FOR = DECLARED.key("fault-for", Settings::decimal);
  public static final SettingKey<Double> FAULT_GAP = DECLARED.key("fault-gap", Settings::decimal);
  public static final SettingKey<String> FAULT_ORDER = DECLARED.key("fault-order", Settings::text);

  /** The faults that servers are started for, which follow from all faults of a trial. */
  public static final SettingKey<List<String>> PREPARED = prepared(List.of(FaultKind.values()));

  /** The setting of drivers that can store entries on disk. */
  private static final String PERSISTENCE = "persistence";

  /** Every kind that any driver offers. */
  public static final SettingKey<List<String>> FAULTS = faults(List.of(FaultKind.values()));

  private ChaosSettings() {}

  private static SettingKey<List<String>> faults(List<FaultKind> kinds) {
    return DECLARED
        .key("faults", Settings::names)
        .withChoices(kinds.stream().map(FaultKind::word).toList());
  }

  private static SettingKey<List<String>> prepared(List<FaultKind> kinds) {
    return DECLARED
        .key("prepared-for", Settings::names)
        .withChoices(
            kinds.stream().filter(FaultKind.PREPARED::contains).map(FaultKind::word).toList());
  }

  /**
   * The paths of these names.
   *
   * @param summaries by name
   * @param kinds the faults that the product can take
   */
  public static List<PathDescription> paths(
      UnaryOperator<String> summaries, List<FaultKind> kinds, String... names) {
    return Stream.of(names).map(name -> path(name, summaries.apply(name), kinds)).toList();
  }

  /**
   * A path.
   *
   * @param kinds the faults that the product can take
   * @param own settings of the path
   */
  public static PathDescription path(
      String name, String summary, List<FaultKind> kinds, SettingKey<?>... own) {
    boolean plainest = name.equals(REGISTERS);
    return new PathDescription(
        name, ChaosMessages.JOB, plainest, summary, Optional.empty(), with(kinds, own));
  }

  /** Returns whether entries are stored on disk. */
  public static boolean persistent(Settings trial) {
    return trial.has(PERSISTENCE) && trial.flag(PERSISTENCE);
  }

  /** The faults of the trial. */
  static List<FaultKind> faults(Settings trial) {
    return trial.get(FAULTS).stream().map(FaultKind::of).toList();
  }

  /** Returns whether a fault of the trial is one of these. */
  public static boolean anyOf(Settings trial, List<FaultKind> kinds) {
    return faults(trial).stream().anyMatch(kinds::contains);
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
