package io.pyrometer.results.tuning;

import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.ArrayList;
import java.util.List;

/** Changes of settings as a diff of an experiment's file; options of a product have its names. */
public record ConfigurationDiff(List<Change> changes) {

  public ConfigurationDiff {
    changes = List.copyOf(changes);
  }

  /**
   * A setting that changes.
   *
   * @param before as a file would say it; such as {@code default} where no value is known
   */
  public record Change(SettingDescription setting, String before, String after) {}

  /** The grid's and the workload's settings of the experiment. */
  public String yaml() {
    List<String> lines = new ArrayList<>();
    for (boolean load : new boolean[] {false, true}) {
      List<Change> mine =
          changes.stream().filter(c -> (c.setting().scope() == Scope.LOAD) == load).toList();
      if (!mine.isEmpty()) {
        lines.add(load ? " workload:" : " grid:");
      }
      for (Change change : mine) {
        lines.add("-  # %s: %s".formatted(change.setting().name(), change.before()));
        lines.add("+  %s: %s".formatted(change.setting().name(), change.after()));
      }
    }
    return String.join("\n", lines);
  }

  /** Arguments of {@code run}: the experiment of a search, its settings and the changes. */
  public String command(PlannedRun search) {
    List<String> given = search.arguments();
    List<String> words = new ArrayList<>();
    words.add(
        given.stream()
            .filter(word -> word.matches(".*\\.ya?ml"))
            .findFirst()
            .orElse(search.name()));
    for (int i = 1; i < given.size(); i++) {
      if (given.get(i - 1).equals("--set")) {
        words.addAll(List.of("--set", given.get(i)));
      }
    }
    changes.forEach(
        change -> words.addAll(List.of("--set", change.setting().name() + "=" + change.after())));
    return String.join(" ", words);
  }
}
