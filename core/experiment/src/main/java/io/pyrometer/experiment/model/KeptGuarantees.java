package io.pyrometer.experiment.model;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFacts;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Guarantees that a configuration must not lose against the baseline: how many copies there are,
 * what a write survives, which copies acknowledge it, what reads see, and the guarantees that
 * follow.
 *
 * @param names of those that are kept
 */
public record KeptGuarantees(Set<String> names) {
  private static final String COPIES = "copies";
  private static final String DURABILITY = "durability";
  private static final String ACKNOWLEDGEMENT = "acknowledgement";
  private static final String READS = "reads";

  public static final KeptGuarantees ALL =
      new KeptGuarantees(
          Stream.concat(
                  Stream.of(COPIES, DURABILITY, ACKNOWLEDGEMENT, READS),
                  Stream.of(Requirement.values()).map(Requirement::key))
              .collect(Collectors.toSet()));

  public KeptGuarantees without(Set<String> allowed) {
    Set<String> kept = new TreeSet<>(names);
    kept.removeAll(allowed);
    return new KeptGuarantees(kept);
  }

  /** Names of the guarantees that a treatment loses by declaration; both settings are complete. */
  public Set<String> lost(DriverDescription driver, Settings baseline, Settings changed) {
    DataFacts before = driver.data(baseline);
    DataFacts after = driver.data(changed);
    Map<String, Boolean> lost = new LinkedHashMap<>();
    lost.put(COPIES, after.copies() < before.copies());
    lost.put(DURABILITY, after.durability().compareTo(before.durability()) < 0);
    lost.put(ACKNOWLEDGEMENT, after.acknowledgedBy().compareTo(before.acknowledgedBy()) < 0);
    lost.put(READS, after.reads().compareTo(before.reads()) > 0);
    Set<Requirement> has = driver.guarantees(changed, changed.get(CoreSettings.NODES));
    for (Requirement each : driver.guarantees(baseline, baseline.get(CoreSettings.NODES))) {
      lost.put(each.key(), !has.contains(each));
    }
    lost.values().removeIf(is -> !is);
    lost.keySet().retainAll(names);
    return lost.keySet();
  }
}
