package io.pyrometer.cli;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.results.ranking.NextStep;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Stream;

/** Leaves C2 out where this machine could not warm the code up with it. */
final class CompilerChoice {
  private static final double SHORT = NextStep.LONG_WARM_UP / 2;

  private CompilerChoice() {}

  /**
   * The experiments that are compared with each other, all with C1 alone if the JVMs of one of them
   * are more than the CPUs of this machine and have little time to warm up; unchanged where one of
   * them chooses its compilers itself.
   *
   * @param out receives one sentence where the compiler was chosen
   */
  static List<Experiment> of(List<Experiment> together, Catalogue catalogue, PrintWriter out) {
    return of(together, catalogue, Runtime.getRuntime().availableProcessors(), out);
  }

  /** The same for one that is not compared with another. */
  static Experiment of(Experiment experiment, Catalogue catalogue, PrintWriter out) {
    return of(List.of(experiment), catalogue, out).get(0);
  }

  /** The same on a machine of so many CPUs. */
  static List<Experiment> of(
      List<Experiment> together, Catalogue catalogue, int cpus, PrintWriter out) {
    long most =
        together.stream().mapToLong(each -> coldJvms(each, catalogue, cpus)).max().orElse(0);
    if (most == 0 || together.stream().anyMatch(CompilerChoice::isMade)) {
      return together;
    }
    out.println(
        Console.wrapped(
            "%d JVMs on %d CPUs would compile their code for minutes: they do so with C1 alone, which makes it warm after seconds and slower than that of a long-running cluster. --set %s=%s --set %s=%.0fs changes that."
                .formatted(
                    most,
                    cpus,
                    CoreSettings.COMPILER.name(),
                    CoreSettings.C1_AND_C2,
                    CoreSettings.COMMON_WARM_UP.name(),
                    NextStep.LONG_WARM_UP)));
    return together.stream().map(CompilerChoice::withC1).toList();
  }

  private static Experiment withC1(Experiment experiment) {
    Settings base = experiment.treatments().base();
    return experiment.with(
        experiment.treatments().withBase(base.with(CoreSettings.COMPILER.name(), CoreSettings.C1)));
  }

  /** By its setting, or by arguments of the JVMs that name the tiers of compilation. */
  private static boolean isMade(Experiment experiment) {
    Stream<SettingKey<String>> arguments =
        Stream.of(CoreSettings.NODE_JVM_ARGS, CoreSettings.AGENT_JVM_ARGS);
    return !experiment.values(CoreSettings.COMPILER).isEmpty()
        || arguments
            .flatMap(key -> experiment.values(key).stream())
            .anyMatch(value -> value.contains("Tiered"));
  }

  /** The most JVMs of a group that will not be warm; 0 if all will. */
  private static long coldJvms(Experiment experiment, Catalogue catalogue, int cpus) {
    if (experiment.testbed().attach().isPresent() || !experiment.testbed().hosts().isEmpty()) {
      return 0;
    }
    return Planner.plan(experiment, catalogue).groups().stream()
        .filter(group -> isShort(group) && !hasNativeServers(group, catalogue))
        .mapToLong(group -> jvms(group.settings()))
        .filter(jvms -> jvms > cpus)
        .max()
        .orElse(0);
  }

  private static boolean hasNativeServers(Group group, Catalogue catalogue) {
    return group
        .driver()
        .map(catalogue.drivers()::get)
        .filter(driver -> driver.servers().nativeProcess())
        .isPresent();
  }

  private static boolean isShort(Group group) {
    return group.trials().stream().allMatch(trial -> trial.job().isLoad())
        && group.commonWarmUp() < SHORT;
  }

  private static long jvms(Settings settings) {
    int nodes = settings.find(CoreSettings.NODES).orElse(0);
    return nodes == 0 ? 0 : nodes + settings.get(CoreSettings.AGENTS);
  }
}
