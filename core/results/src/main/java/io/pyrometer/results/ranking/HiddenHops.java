package io.pyrometer.results.ranking;

import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.RunRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Treatments whose calls take one more hop between servers, measured where that costs almost
 * nothing: all processes share a machine. They are not recommended before others.
 */
final class HiddenHops {
  private HiddenHops() {}

  /** The levels of a run's treatments whose hops its machine hides. */
  static Set<Map<String, String>> levels(RunRecord run) {
    return run.plan().trials().stream()
        .filter(trial -> trial.settings().find(PathSettings.PARTITION_AWARENESS).isPresent())
        .filter(trial -> !trial.settings().get(PathSettings.PARTITION_AWARENESS))
        .filter(trial -> sharesMachine(run, trial.settings()))
        .map(TrialSpec::levels)
        .collect(Collectors.toSet());
  }

  /** The rows of other treatments; all where there are none. */
  static List<Ranking.Row> without(Set<Map<String, String>> hidden, List<Ranking.Row> rows) {
    List<Ranking.Row> others =
        rows.stream().filter(row -> !hidden.contains(row.replicates().levels())).toList();
    return others.isEmpty() ? rows : others;
  }

  /** Names them; empty where there are none, or no others. */
  static Optional<Finding> of(RunRecord run, List<Ranking> rankings) {
    Set<Map<String, String>> hidden = levels(run);
    List<Ranking.Row> rows = rankings.stream().flatMap(r -> r.rows().stream()).toList();
    List<String> labels =
        rows.stream()
            .filter(row -> hidden.contains(row.replicates().levels()))
            .map(Ranking.Row::label)
            .distinct()
            .toList();
    return rows.size() == without(hidden, rows).size()
        ? Optional.empty()
        : Optional.of(Finding.notice("ranking.hidden-hop").with("treatments", Value.names(labels)));
  }

  private static boolean sharesMachine(RunRecord run, Settings settings) {
    List<Host> hosts = run.plan().testbed().hosts();
    boolean here = hosts.isEmpty() || hosts.equals(List.of(Host.NAMESPACES));
    return here
        && run.plan().testbed().attach().isEmpty()
        && settings.find(CoreSettings.LINK_DELAY).orElse(0.0) == 0;
  }
}
