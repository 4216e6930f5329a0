package io.pyrometer.results.compare;

import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What two versions or runs set differently in treatments that both have. */
final class Differences {
  private Differences() {}

  /** Such as {@code backups (1 and 2)}; sorted. */
  static List<String> settings(List<TrialSpec> one, List<TrialSpec> other) {
    Map<Map<String, String>, Settings> settings = new HashMap<>();
    one.forEach(trial -> settings.put(trial.levels(), trial.settings()));
    Map<String, Set<String>> differing = new TreeMap<>();
    for (TrialSpec trial : other) {
      Settings before = settings.get(trial.levels());
      if (before != null) {
        collect(before, trial.settings(), differing);
      }
    }
    List<String> words = new ArrayList<>();
    differing.forEach(
        (name, values) -> words.add("%s (%s)".formatted(name, String.join(", ", values))));
    return words;
  }

  private static void collect(Settings before, Settings after, Map<String, Set<String>> differing) {
    TreeSet<String> names = new TreeSet<>(before.values().keySet());
    names.addAll(after.values().keySet());
    for (String name : names) {
      String a = before.has(name) ? before.text(name) : "not set";
      String b = after.has(name) ? after.text(name) : "not set";
      if (!a.equals(b)) {
        differing.computeIfAbsent(name, n -> new TreeSet<>()).add(a + " and " + b);
      }
    }
  }
}
