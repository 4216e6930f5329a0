package io.pyrometer.cli;

import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.results.ranking.NextStep;
import java.util.Optional;

/** Says before a run that its code will not be warm, where that is to be expected. */
final class WarmUpHint {
  private static final double SHORT = NextStep.LONG_WARM_UP / 2;

  private WarmUpHint() {}

  /**
   * One paragraph; empty where own servers have the CPUs or the time to compile their code.
   *
   * @param cpus of this machine
   */
  static Optional<String> of(PlannedRun plan, int cpus) {
    if (plan.testbed().attach().isPresent() || !plan.testbed().hosts().isEmpty()) {
      return Optional.empty();
    }
    return plan.groups().stream()
        .filter(group -> !plan.driver(group.settings()).servers().nativeProcess())
        .filter(group -> isShort(group) && jvms(group) > cpus)
        .findFirst()
        .map(
            group ->
                "%d JVMs on %d CPUs compile their code for minutes, and the common warm-up takes %.0f s at most: trials will probably not be warm. Set %s, or 'node-jvm-args' and 'agent-jvm-args' to %s (C1 alone: warm after seconds, with lower rates)."
                    .formatted(
                        jvms(group),
                        cpus,
                        group.commonWarmUp(),
                        NextStep.longWarmUp(plan),
                        CoreSettings.C1_ALONE));
  }

  private static boolean isShort(Group group) {
    Settings settings = group.settings();
    return group.trials().stream().allMatch(trial -> trial.job().isLoad())
        && group.commonWarmUp() < SHORT
        && !(compilesWithC1(settings, CoreSettings.NODE_JVM_ARGS.name())
            && compilesWithC1(settings, CoreSettings.AGENT_JVM_ARGS.name()));
  }

  private static boolean compilesWithC1(Settings settings, String arguments) {
    return settings.has(arguments) && settings.text(arguments).contains(CoreSettings.C1_ALONE);
  }

  private static int jvms(Group group) {
    Settings settings = group.settings();
    int nodes = settings.find(CoreSettings.NODES).orElse(0);
    return nodes == 0 ? 0 : nodes + settings.get(CoreSettings.AGENTS);
  }
}
