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
   * The plainest path at the most similar levels, of the product that the experiment names first.
   * Where one product has none, or no other path, of the treatments that claim the most guarantees
   * the one that the experiment names first.
   *
   * @param measured the treatments under the same condition, or all where it has no other
   */
  Optional<Group> of(Group group, List<Group> measured) {
    List<Group> plain = measured.stream().filter(this::plainest).toList();
    if (plain.isEmpty() || (plain.containsAll(measured) && drivers(measured) == 1)) {
      return measured.stream()
          .min(
              Comparator.comparingInt((Group of) -> -claims(of))
                  .thenComparing(LevelOrder.of(run).comparing(Group::levels)));
    }
    List<Group> candidates = ofFirstDriver(plain);
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

  private static long drivers(List<Group> groups) {
    return groups.stream().map(Baseline::driver).distinct().count();
  }

  private List<Group> ofFirstDriver(List<Group> plain) {
    String first =
        plain.stream()
            .min(LevelOrder.of(run).comparing(Group::levels))
            .map(Baseline::driver)
            .orElse("");
    return plain.stream().filter(group -> driver(group).equals(first)).toList();
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
