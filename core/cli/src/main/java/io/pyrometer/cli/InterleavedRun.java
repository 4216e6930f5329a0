package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.BlockGate;
import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.Overrides;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.Interleaving.Version;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.compare.JudgedMetrics;
import io.pyrometer.results.compare.RunComparison;
import io.pyrometer.results.page.ResultFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * Measures two versions in the same blocks and judges them after the last.
 *
 * @param out receives the progress
 */
record InterleavedRun(
    CommandLine line, PrintWriter out, Path runs, AttachedGrid grid, Catalogue catalogue) {
  /** The page of the comparison in the run's folder. */
  static final String PAGE = "comparison.html";

  private static final int USUAL_BLOCKS = 10;

  /** Options that require --interleave; {@code --blocks} is 10 by default. */
  static final class Options extends OverrideOptions {
    @Option(names = "--set-a", paramLabel = "NAME=VALUE,…")
    List<String> setA = new ArrayList<>();

    @Option(names = "--set-b", paramLabel = "NAME=VALUE,…")
    List<String> setB = new ArrayList<>();

    @Option(names = "--classpath-a", split = ":", paramLabel = "PATH")
    List<Path> classPathA = new ArrayList<>();

    @Option(names = "--classpath-b", split = ":", paramLabel = "PATH")
    List<Path> classPathB = new ArrayList<>();

    @Option(names = "--classpath", split = ":", paramLabel = "PATH")
    List<Path> classPath = new ArrayList<>();

    @Option(names = "--within", paramLabel = "TIME")
    Optional<String> within = Optional.empty();

    boolean given() {
      return blocks.isPresent()
          || within.isPresent()
          || seed.isPresent()
          || Stream.of(set, setA, setB, classPathA, classPathB, classPath)
              .anyMatch(each -> !each.isEmpty());
    }
  }

  /** Plans and runs both versions; returns their comparison. */
  RunComparison measure(List<String> names, Options given, JudgedMetrics metrics) {
    if (names.size() > 2) {
      throw new RunException("--interleave compares two versions; name at most two experiments.");
    }
    String nameB = names.get(names.size() - 1);
    int blocks = blocks(names.get(0), nameB, given);
    CompilerChoice compilers =
        CompilerChoice.of(
            List.of(
                experiment(names.get(0), given, given.setA, blocks),
                experiment(nameB, given, given.setB, blocks)),
            catalogue,
            out);
    Experiment a = compilers.experiments().get(0);
    Experiment b = compilers.experiments().get(1);
    ClassPathOption.mustExist("--classpath", given.classPath);
    ClassPathOption.mustExist("--classpath-a", given.classPathA);
    ClassPathOption.mustExist("--classpath-b", given.classPathB);
    Plan plan = InterleavedPlan.of(a, b, catalogue);
    PlannedRun planned =
        PlannedRun.of(
                plan, catalogue.drivers(), compilers.arguments(line), given.classPath, Map.of())
            .comparing(
                new Interleaving(
                    version(names.get(0), given.setA, given.classPathA),
                    version(nameB, given.setB, given.classPathB),
                    metrics.delta(),
                    metrics.deltas(),
                    List.copyOf(metrics.only())));
    metrics.requirePossible(planned);
    RareOperations.of(planned).ifPresent(sentence -> Console.say(out, sentence));
    Interleaving versions = planned.interleaving().orElseThrow();
    if (versions.a().equals(versions.b())) {
      Console.say(
          out,
          "A and B are the same (an A/A test): a difference that is found is a false alarm, and the"
              + " page says how many blocks a difference takes.");
    }
    grid.confirm(
        planned, RunPreparation.preflight(planned, runs, Home.distribution()), out, line.getErr());
    RunFolder folder =
        RunPreparation.begin(planned, a.source(), runs, Home.distribution(), Clock.systemUTC());
    return runBlocks(out, folder, planned, given.within, plan.estimatedSeconds());
  }

  private int blocks(String nameA, String nameB, Options given) {
    int most = given.blocks.orElse(USUAL_BLOCKS);
    IntToDoubleFunction seconds =
        count ->
            InterleavedPlan.of(
                    experiment(nameA, given, given.setA, count),
                    experiment(nameB, given, given.setB, count),
                    catalogue)
                .estimatedSeconds();
    int blocks =
        given
            .within
            .map(time -> ExperimentOptions.blocksWithin(time, BlockGate.MIN_BLOCKS, most, seconds))
            .orElse(most);
    if (blocks < BlockGate.MIN_BLOCKS) {
      throw RunException.of(
          "%s too few: a verdict needs %d blocks, which take %s.",
          blocks == most
              ? "--blocks %d is".formatted(blocks)
              : "--within %s allows %s, which is"
                  .formatted(given.within.orElse(""), Figures.count(blocks, "block")),
          BlockGate.MIN_BLOCKS,
          Phrases.about(seconds.applyAsDouble(BlockGate.MIN_BLOCKS)));
    }
    return blocks;
  }

  private Experiment experiment(String name, Options given, List<String> own, int blocks) {
    List<String> set = new ArrayList<>(given.set);
    set.addAll(own);
    return new Overrides(false, Optional.of(blocks), given.seed, set)
        .applyTo(ExperimentReader.read(name, catalogue), catalogue);
  }

  private static Version version(String name, List<String> set, List<Path> classPath) {
    List<String> words = new ArrayList<>(List.of(name));
    words.addAll(set);
    classPath.forEach(path -> words.add(path.toString()));
    return new Version(
        String.join(" ", words),
        classPath.stream().map(path -> path.toAbsolutePath().toString()).toList());
  }

  /**
   * Runs the remaining blocks and judges the run.
   *
   * @param within time after which no block is begun, but for the fewest that can be judged
   */
  static RunComparison runBlocks(
      PrintWriter out,
      RunFolder folder,
      PlannedRun planned,
      Optional<String> within,
      double seconds) {
    Execution.runTrials(
        out,
        folder,
        planned,
        ExperimentOptions.bounded(
            within, BlockGate.MIN_BLOCKS, TrialSource.fixed(planned.groups())),
        seconds);
    return RunComparison.interleaved(ResultFiles.write(folder).run(), JudgedMetrics.USUAL);
  }
}
