package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.results.ranking.NextStep;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The JIT compilers of experiments that do not name them: C1 alone where this machine has fewer
 * CPUs than a group has JVMs, and too little time to warm them up with C2.
 *
 * @param experiments that are compared with each other
 * @param chosen whether some of their treatments got C1 here
 */
record CompilerChoice(List<Experiment> experiments, boolean chosen) {
  private static final double LEAST_WARM_UP = NextStep.LONG_WARM_UP / 2;
  private static final Pattern NAMES_COMPILERS =
      Pattern.compile("Tiered|CompilationMode|-Xint|-Xcomp");

  /** Chooses for experiments that are compared with each other, all alike. */
  static CompilerChoice of(List<Experiment> together, Catalogue catalogue, PrintWriter out) {
    return of(together, catalogue, Runtime.getRuntime().availableProcessors(), out);
  }

  /**
   * Chooses.
   *
   * @param cpus of this machine
   * @param out receives what was chosen, or that what the user chose will not be warm
   */
  static CompilerChoice of(
      List<Experiment> together, Catalogue catalogue, int cpus, PrintWriter out) {
    long jvms =
        together.stream().mapToLong(each -> coldJvms(each, catalogue, cpus)).max().orElse(0);
    if (jvms == 0) {
      return new CompilerChoice(together, false);
    }
    String crowded =
        "%d JVMs share %s, where C2 compiles for minutes"
            .formatted(jvms, Figures.count(cpus, "CPU"));
    String longer =
        "'%s: %.0fs'".formatted(CoreSettings.COMMON_WARM_UP.name(), NextStep.LONG_WARM_UP);
    if (together.stream().anyMatch(CompilerChoice::leavesOpen)) {
      Console.say(
          out,
          "%s. All use C1 alone: their code is warm after seconds, and slower than in a long-running cluster. For C2: '%s: %s' and %s."
              .formatted(crowded, CoreSettings.COMPILER.name(), CoreSettings.C1_AND_C2, longer));
      return new CompilerChoice(together.stream().map(CompilerChoice::withC1).toList(), true);
    }
    if (together.stream()
        .flatMap(each -> each.values(CoreSettings.COMPILER).stream())
        .anyMatch(CoreSettings.C1_AND_C2::equals)) {
      Console.say(
          out, "%s: trials will probably not be warm without %s.".formatted(crowded, longer));
    }
    return new CompilerChoice(together, false);
  }

  Experiment experiment() {
    return experiments.get(0);
  }

  /** Arguments that repeat a command line with the compilers chosen here, on any number of CPUs. */
  List<String> arguments(CommandLine line) {
    List<String> arguments = new ArrayList<>(PageOutput.arguments(line));
    if (chosen) {
      arguments.addAll(List.of("--set", CoreSettings.COMPILER.name() + "=" + CoreSettings.C1));
    }
    return arguments;
  }

  /** Levels and cases that name compilers keep theirs. */
  private static Experiment withC1(Experiment experiment) {
    Settings base = experiment.treatments().base();
    return leavesOpen(experiment)
        ? experiment.with(
            experiment
                .treatments()
                .withBase(base.with(CoreSettings.COMPILER.name(), CoreSettings.C1)))
        : experiment;
  }

  private static boolean leavesOpen(Experiment experiment) {
    return experiment.treatments().expand().stream()
            .anyMatch(treatment -> !treatment.settings().has(CoreSettings.COMPILER))
        && Stream.of(CoreSettings.NODE_JVM_ARGS, CoreSettings.AGENT_JVM_ARGS)
            .flatMap(key -> experiment.values(key).stream())
            .noneMatch(value -> NAMES_COMPILERS.matcher(value).find());
  }

  /** The most JVMs of a group that will not be warm; 0 if all will. */
  private static long coldJvms(Experiment experiment, Catalogue catalogue, int cpus) {
    if (experiment.testbed().attach().isPresent() || !experiment.testbed().hosts().isEmpty()) {
      return 0;
    }
    return Planner.plan(experiment, catalogue).groups().stream()
        .filter(group -> isShort(group) && !hasNativeServers(group, catalogue))
        .filter(
            group ->
                group
                    .process()
                    .find(CoreSettings.COMPILER)
                    .filter(CoreSettings.C1::equals)
                    .isEmpty())
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

  /** An experiment without a common warm-up measures code that is not compiled yet. */
  private static boolean isShort(Group group) {
    double warmUp = group.commonWarmUp();
    return group.trials().stream().allMatch(trial -> trial.job().isLoad())
        && warmUp > 0
        && warmUp < LEAST_WARM_UP;
  }

  private static long jvms(Settings settings) {
    int nodes = settings.find(CoreSettings.NODES).orElse(0);
    return nodes == 0 ? 0 : nodes + settings.get(CoreSettings.AGENTS);
  }
}
