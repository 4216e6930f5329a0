package io.pyrometer.experiment.plan;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An experiment expanded to the trials to make, in order.
 *
 * @param failOverSeconds by driver, how long its clients may take to go on after a server was
 *     killed; a driver that is not named takes as long as most
 * @param tuning where the groups are the trials of a search for the best configuration
 */
public record Plan(
    Experiment experiment,
    List<Group> groups,
    Map<String, Double> failOverSeconds,
    Optional<Tuning> tuning) {

  private static final double START_SECONDS = 8;
  private static final double START_SECONDS_PER_NODE = 1;

  /** More nodes than these on two cores start in waves, each slower the more there are. */
  private static final double USUAL_NODES = 8;

  private static final double ATTACH_SECONDS = 3;
  private static final double TRIAL_SECONDS = 1.2;
  private static final double ORDER_SECONDS = 1.4;
  private static final double READ_SECONDS = 2;
  private static final double END_SECONDS = 2.5;
  private static final double RECORDS_PER_SECOND = 80_000;

  /** The part of a key space that a typical write path fills and reads back, roughly. */
  private static final double MOST_RECORDS_WRITTEN = 150_000;

  /** The configurations of a search that are probed: default, winner and runner-up. */
  static final int PROBED = 3;

  public List<TrialSpec> trials() {
    return groups.stream().flatMap(group -> group.trials().stream()).toList();
  }

  /**
   * About how long the run will take on a machine of two cores: starting the processes, their
   * common warm-up, for each trial filling or reading back, warming up to the cap, and measuring,
   * and the guarantee probes.
   */
  public double estimatedSeconds() {
    if (experiment.treatments().design() instanceof Design.Search) {
      return groups.stream().mapToDouble(Plan::searchSeconds).sum();
    }
    return groups.stream().mapToDouble(Plan::estimatedSeconds).sum()
        + probeSeconds()
        + profileSeconds();
  }

  /** About how long the brief trials take that the first block ends with. */
  private double profileSeconds() {
    return experiment.testbed().attach().isEmpty()
            && !AnalysisDeclaration.need(
                experiment.options().analyses(),
                each -> each.needsProfiles() || each.needsExamination())
        ? 0
        : groups.stream()
            .filter(group -> group.block() == 0)
            .flatMap(group -> group.trials().stream())
            .filter(trial -> trial.job().isLoad())
            .mapToDouble(trial -> TRIAL_SECONDS + AnalysisDeclaration.PROFILE_SECONDS)
            .sum();
  }

  /**
   * A search starts processes for each rate that it visits, and visits about one and a half for
   * each halving of a ladder.
   */
  private static double searchSeconds(Group group) {
    long curves = RateLadder.of(group).size();
    double rates = (double) group.trials().size() / curves;
    double visits = curves * Math.ceil(1.5 * Math.log(rates + 1) / Math.log(2));
    double each =
        start(group)
            + group.commonWarmUp()
            + group.trials().stream().mapToDouble(Plan::estimatedSeconds).average().orElse(0);
    return visits * each;
  }

  /**
   * About how long the guarantee probes take: each once for every treatment that writes. A search
   * has none.
   */
  public double probeSeconds() {
    if (tuning.isPresent()) {
      return PROBED * groups.stream().limit(1).mapToDouble(this::probes).sum();
    }
    return experiment.treatments().design() instanceof Design.Search
        ? 0
        : groups.stream().filter(group -> group.block() == 0).mapToDouble(this::probes).sum();
  }

  private double probes(Group group) {
    long writing =
        group.trials().stream()
            .filter(t -> t.job().isProbed())
            .map(trial -> List.of(trial.probed(), trial.record()))
            .distinct()
            .count();
    double failOver =
        group.driver().map(failOverSeconds::get).orElse(ServerDescription.USUAL_FAIL_OVER_SECONDS);
    return writing
        * experiment.options().probes().stream()
            .mapToDouble(
                kind ->
                    kind.endsServer() ? endSeconds(failOver, start(group)) : estimatedSeconds(kind))
            .sum();
  }

  /** The client goes on, the contents are read back by it, and a whole grid starts again. */
  private static double endSeconds(double failOver, double start) {
    return END_SECONDS + 2 * failOver + start;
  }

  /** About how long one guarantee probe takes, with a grid that goes on in the usual time. */
  public static double estimatedSeconds(ProbeKind kind) {
    return switch (kind) {
      case ORDER -> ORDER_SECONDS;
      case READ -> READ_SECONDS;
      case KILL, STOP -> endSeconds(ServerDescription.USUAL_FAIL_OVER_SECONDS, START_SECONDS);
    };
  }

  /** The estimated seconds of one group; see {@link #estimatedSeconds()}. */
  public static double estimatedSeconds(Group group) {
    double trials = group.trials().stream().mapToDouble(Plan::estimatedSeconds).sum();
    return start(group) + group.commonWarmUp() + trials;
  }

  /** The estimated seconds of one trial; see {@link #estimatedSeconds()}. */
  public static double estimatedSeconds(TrialSpec trial) {
    Optional<TrialKind> kind = TrialKinds.of(trial.job());
    return kind.isPresent() ? kind.get().seconds(trial) : loadSeconds(trial);
  }

  private static double loadSeconds(TrialSpec trial) {
    Settings settings = trial.settings();
    double records = settings.get(CoreSettings.RECORDS);
    double handled =
        switch (trial.job().id()) {
          case "write" ->
              CoreSettings.loadsOnce(settings)
                  ? records + CoreSettings.existing(settings)
                  : Math.min(records, MOST_RECORDS_WRITTEN);
          case "read" -> 0;
          default -> records;
        };
    return TRIAL_SECONDS
        + handled / RECORDS_PER_SECOND
        + (CoreSettings.loadsOnce(settings) ? 0 : settings.get(CoreSettings.WARM_UP))
        + settings.get(CoreSettings.MEASURE);
  }

  private static double start(Group group) {
    int nodes = group.process().get(CoreSettings.NODES);
    double perNode = START_SECONDS_PER_NODE * Math.max(1, nodes / USUAL_NODES);
    double usual = nodes == 0 ? ATTACH_SECONDS : START_SECONDS + perNode * nodes;
    return group.kind().map(kind -> kind.startSeconds(group.process(), usual)).orElse(usual);
  }
}
