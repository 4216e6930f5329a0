package io.pyrometer.results.ranking;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.results.LevelOrder;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings.Group;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The treatments that the ratios of a ranking are to. */
final class Baseline {
  private final RunRecord run;

  Baseline(RunRecord run) {
    this.run = run;
  }

  /**
   * Of several products, the treatments of the one that the experiment names first; of these the
   * plainest path at the most similar levels. Of one product that has none, or no other path, the
   * treatment that claims the most guarantees, of several the one that the experiment names first.
   *
   * @param measured the treatments under the same condition, or all where it has no other
   */
  Optional<Group> of(Group group, List<Group> measured) {
    boolean products = measured.stream().map(Baseline::driver).distinct().count() > 1;
    List<Group> ofFirst = products ? ofFirstDriver(measured) : measured;
    List<Group> plain = ofFirst.stream().filter(this::plainest).toList();
    if (!products && (plain.isEmpty() || plain.containsAll(measured))) {
      return measured.stream()
          .min(
              Comparator.comparingInt((Group of) -> -claims(of))
                  .thenComparing(LevelOrder.of(run).comparing(Group::levels)));
    }
    List<Group> candidates = plain.isEmpty() ? ofFirst : plain;
    return candidates.contains(group)
        ? Optional.of(group)
        : candidates.stream().max(Comparator.comparingLong(g -> alike(g.levels(), group.levels())));
  }

  private boolean plainest(Group group) {
    return run.plan()
        .path(group.trials().get(0).settings())
        .map(PathDescription::plainest)
        .orElse(false);
  }

  private int claims(Group group) {
    Settings settings = group.trials().get(0).settings();
    return run.plan()
        .driver(settings)
        .guarantees(settings, settings.find(CoreSettings.NODES).orElse(0))
        .size();
  }

  private List<Group> ofFirstDriver(List<Group> measured) {
    String first =
        measured.stream()
            .min(LevelOrder.of(run).comparing(Group::levels))
            .map(Baseline::driver)
            .orElse("");
    return measured.stream().filter(group -> driver(group).equals(first)).toList();
  }

  /** Empty for a run of one driver whose settings do not name it. */
  private static String driver(Group group) {
    return group.trials().get(0).settings().find(CoreSettings.DRIVER).orElse("");
  }

  private static long alike(Map<String, String> a, Map<String, String> b) {
    return a.entrySet().stream().filter(e -> e.getValue().equals(b.get(e.getKey()))).count();
  }

  /** Some baselines in words; where several serve, their path. */
  static String words(List<Group> baselines) {
    if (baselines.size() <= 1) {
      return baselines.isEmpty() ? "" : baselines.get(0).label();
    }
    return baselines.stream().map(Group::path).distinct().collect(Collectors.joining(" or "))
        + " at like levels";
  }
}
