package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What to run next: the command that settles what a run leaves open, with its planned time. */
public final class NextStep {
  /** Where more than one in so many trials was not warm, the next run warms up longer. */
  private static final int COLD_SHARE = 10;

  private static final String BLOCKS = "--blocks";
  private static final String WITHIN = "--within";
  private static final String FOR = "--for";
  private static final String QUICK = "--quick";
  private static final String FULL = "--full";

  /** Seconds of common warm-up that are advised where code was not warm. */
  public static final double LONG_WARM_UP = 120;

  /** Beyond, the trials are too noisy rather than too few. */
  public static final int MAX_BLOCKS = 100;

  private static final int FIRST_INTERVALS = 3;

  /** The measured part of the trials of a longer run, in multiples of that of this one. */
  private static final double LONGER = 4;

  private final RunRecord run;
  private final List<String> arguments;
  private int blocks;
  private double secondsMore;

  /** What all blocks take without what is added to each; that of this run's plan where empty. */
  private OptionalDouble seconds = OptionalDouble.empty();

  private NextStep(RunRecord run) {
    this.run = run;
    this.arguments = new ArrayList<>(run.plan().arguments());
    this.blocks = run.plan().blocks();
  }

  /** The first finding of a run that does not answer its question. */
  static Finding noAnswer(String reason, String next) {
    return Finding.warning(Kind.NOT_ENOUGH_RUNS, "No answer: %s. %s".formatted(reason, next), next);
  }

  /** That finding where most trials were disturbed; else empty. */
  public static Optional<Finding> ofDisturbed(RunRecord run) {
    int trials = run.counting().size();
    long disturbed = run.counting().stream().filter(TrialRecord::disturbed).count();
    return 2 * disturbed <= trials
        ? Optional.empty()
        : Optional.of(
            noAnswer(
                "%d of %s disturbed by the machine%s"
                    .formatted(
                        disturbed,
                        trials == 1 ? "1 trial was" : trials + " trials were",
                        run.probes().stream().anyMatch(probe -> probe.found().isPresent())
                            ? ", which the results of probes do not depend on"
                            : ""),
                "Repeat the run on a machine that does nothing else: "
                    + new NextStep(run).command()
                    + "."));
  }

  /**
   * The last finding of a run with an answer, by what its other findings leave open.
   *
   * @param blocksWanted for a verdict that is open, infinite where no number is known; empty where
   *     none is open
   */
  public static Finding of(RunRecord run, List<Finding> findings, OptionalDouble blocksWanted) {
    NextStep next = new NextStep(run);
    List<String> purposes = new ArrayList<>();
    if (!run.whole()) {
      return finding("./pyrometer resume " + run.folder().path(), "the remaining trials");
    }
    if (next.isCold()) {
      next.warmUpLonger();
      purposes.add("warm code");
    }
    double wanted = blocksWanted.orElse(0);
    boolean tooWide = findings.stream().anyMatch(NextStep::isTooWide);
    if (run.blocksSeen() == 1 && next.arguments.remove(QUICK)) {
      next.longer("");
      purposes.add("all blocks, with confidence intervals");
    } else if (run.blocksSeen() == 1) {
      next.blocks(FIRST_INTERVALS);
      purposes.add("confidence intervals");
    } else if (run.blocksSeen() == 2
        || (run.blocksSeen() < Recommendation.FEW_BLOCKS && (wanted > 0 || tooWide))) {
      next.blocks(
          wanted <= MAX_BLOCKS
              ? Math.max(wanted, Recommendation.FEW_BLOCKS)
              : Recommendation.FEW_BLOCKS);
      purposes.add("narrower intervals, as %d blocks are few".formatted(run.blocksSeen()));
    } else if (wanted > MAX_BLOCKS && next.lengthens()) {
      purposes.add(
          "less noise: with trials like these, a verdict would take more than %d blocks"
              .formatted(MAX_BLOCKS));
    } else if (wanted > 0) {
      next.blocks(wanted <= MAX_BLOCKS ? wanted : 2 * run.blocksSeen());
      purposes.add(
          "a verdict on the closest treatments, after about %d blocks".formatted(next.blocks));
    } else if (tooWide) {
      next.blocks(2 * run.blocksSeen());
      purposes.add("narrower intervals");
    }
    if (purposes.isEmpty() && leavesOpenWhatAFullRunSays(run)) {
      next.arguments.remove(QUICK);
      next.arguments.add(FULL);
      next.longer(FULL);
      purposes.add("what this shorter run leaves open");
    }
    if (purposes.isEmpty() && findings.stream().anyMatch(NextStep::leavesOpen)) {
      next.blocks(2 * run.blocksSeen());
      purposes.add("what more blocks may show of the findings that are not decided");
    }
    return finding(
        next.command(),
        purposes.isEmpty()
            ? "nothing is open at this precision; other data or machines with --set or a file of your own"
            : Phrases.and(purposes));
  }

  private static boolean isTooWide(Finding finding) {
    return finding.estimates().values().stream().anyMatch(Estimate::tooWide);
  }

  private static boolean leavesOpen(Finding finding) {
    return finding.kind().filter(k -> k == Kind.NOT_ENOUGH_RUNS).isPresent();
  }

  private static boolean leavesOpenWhatAFullRunSays(RunRecord run) {
    return run.plan().experiment().variants().onlyFull().stream()
        .anyMatch(shortcoming -> !shortcoming.contains(Experiment.LEFT_OUT));
  }

  private static Finding finding(String command, String purpose) {
    return Finding.info(
        Kind.FOLLOW_UP, "Next: %s (%s).".formatted(command, purpose), "The result of that run.");
  }

  /** Another form of the experiment. */
  private void longer(String option) {
    Optional<PlannedRun.Form> form = Optional.ofNullable(run.plan().longerForms().get(option));
    blocks = form.map(PlannedRun.Form::blocks).orElse(blocks);
    seconds = OptionalDouble.of(form.map(PlannedRun.Form::seconds).orElse(Double.NaN));
  }

  private void blocks(double wanted) {
    blocks = Math.max(run.blocksSeen() + 1, (int) Math.ceil(wanted));
    remove(BLOCKS);
    arguments.addAll(List.of(BLOCKS, String.valueOf(blocks)));
  }

  private void remove(String option) {
    int given = arguments.indexOf(option);
    if (given >= 0) {
      arguments.subList(given, Math.min(arguments.size(), given + 2)).clear();
    }
    arguments.removeIf(argument -> argument.startsWith(option + "="));
  }

  private boolean isCold() {
    long cold = run.counting().stream().filter(TrialRecord::notWarm).count();
    return COLD_SHARE * cold > run.counting().size();
  }

  /** Whether longer trials are another run: the stages of a rate have their own times. */
  private boolean lengthens() {
    OptionalDouble longer = longerMeasure(run.plan());
    longer.ifPresent(this::lengthen);
    return longer.isPresent();
  }

  private void lengthen(double measure) {
    set(CoreSettings.MEASURE, measure);
    secondsMore =
        (LONGER - 1)
            * run.plan().trials().stream()
                .filter(trial -> trial.block() == 0)
                .mapToDouble(trial -> trial.settings().find(CoreSettings.MEASURE).orElse(0.0))
                .sum();
  }

  private void set(SettingKey<Double> setting, double value) {
    String name = setting.name();
    for (int i = arguments.size() - 1; i > 0; i--) {
      if (arguments.get(i).startsWith(name + "=") && arguments.get(i - 1).equals("--set")) {
        arguments.subList(i - 1, i + 1).clear();
        i--;
      }
    }
    arguments.addAll(List.of("--set", "%s=%.0fs".formatted(name, Math.ceil(value))));
  }

  private void warmUpLonger() {
    double now =
        run.counting().stream()
            .mapToDouble(trial -> trial.settings().get(CoreSettings.COMMON_WARM_UP))
            .min()
            .orElse(0);
    double longer = Math.max(LONG_WARM_UP, 2 * now);
    set(CoreSettings.COMMON_WARM_UP, longer);
    secondsMore =
        run.plan().groups().stream()
            .filter(group -> group.block() == 0)
            .mapToDouble(g -> now > 0 ? g.commonWarmUp() * (longer / now - 1) : longer)
            .sum();
  }

  private String command() {
    if (!arguments.equals(run.plan().arguments())) {
      remove(WITHIN); // what takes longer may not fit
      remove(FOR); // says how many blocks there are, as --blocks does
    }
    double all = seconds.orElseGet(this::secondsOfBlocks) + blocks * secondsMore;
    String line =
        arguments.stream()
            .map(word -> word.matches("[\\w./,=:@%+-]+") ? word : "'" + word + "'")
            .collect(Collectors.joining(" ", "./pyrometer ", ""));
    return Double.isNaN(all) ? line : line + ", " + Phrases.about(all);
  }

  /**
   * The measured part of trials that are enough longer to vary less; empty where stages give it.
   */
  public static OptionalDouble longerMeasure(PlannedRun plan) {
    return plan.trials().stream()
        .filter(trial -> !trial.settings().has(CoreSettings.STAGES))
        .flatMap(trial -> trial.settings().find(CoreSettings.MEASURE).stream())
        .mapToDouble(now -> Math.ceil(LONGER * now))
        .max();
  }

  /** The estimated seconds of one block. */
  public static double secondsOfBlock(PlannedRun plan) {
    return plan.groups().stream()
        .filter(group -> group.block() == 0)
        .mapToDouble(Plan::estimatedSeconds)
        .sum();
  }

  private double secondsOfBlocks() {
    double probes =
        run.probes().stream().mapToDouble(probe -> Plan.estimatedSeconds(probe.probe())).sum();
    return blocks * secondsOfBlock(run.plan()) + probes;
  }
}
