package io.pyrometer.results.ranking;

import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.Finding;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Next run: the command that settles what a run leaves open, with its planned time. */
public final class NextStep {
  /** Where more than one in so many trials was not warm, the next run warms up longer. */
  private static final int COLD_SHARE = 10;

  private static final String BLOCKS = "--blocks";
  private static final String QUICK = "--quick";
  private static final String FULL = "--full";

  /** Seconds of common warm-up that are advised where code was not warm. */
  public static final double LONG_WARM_UP = 120;

  /** Beyond, the trials are too noisy rather than too few. */
  public static final int MAX_BLOCKS = 100;

  private static final int FIRST_INTERVALS = 3;

  private final RunRecord run;
  private final List<String> arguments;
  private int blocks;
  private double secondsMore;

  /** Seconds of all blocks without what is added to each; those of this run's plan where empty. */
  private OptionalDouble seconds = OptionalDouble.empty();

  private NextStep(RunRecord run) {
    this.run = run;
    this.arguments = new ArrayList<>(run.plan().arguments());
    this.blocks = run.plan().blocks();
  }

  /** The first finding of a run of which most trials were disturbed; else empty. */
  public static Optional<Finding> ofDisturbed(RunRecord run) {
    int trials = run.counting().size();
    long disturbed = run.counting().stream().filter(TrialRecord::disturbed).count();
    return 2 * disturbed <= trials
        ? Optional.empty()
        : Optional.of(
            Finding.warning("no-answer.disturbed")
                .with("disturbed", disturbed)
                .with("trials", trials)
                .with("command", new NextStep(run).command()));
  }

  /**
   * The next command of a run with an answer; empty where the same run would settle nothing more.
   *
   * @param tooWide whether some interval is too wide to be of use
   * @param few whether a choice has few blocks
   * @param blocksWanted for a verdict that is open, infinite where no number is known; empty where
   *     none is open
   */
  public static Optional<Answer.Next> of(
      RunRecord run, boolean tooWide, boolean few, OptionalDouble blocksWanted) {
    if (!run.whole()) {
      String resume = "./pyrometer resume " + run.folder().path();
      return Optional.of(new Answer.Next(resume, OptionalDouble.empty()));
    }
    NextStep next = new NextStep(run);
    next.settle(tooWide, few, blocksWanted.orElse(0));
    return next.arguments.equals(run.plan().arguments())
        ? Optional.empty()
        : Optional.of(new Answer.Next(next.command(), next.duration()));
  }

  private void settle(boolean tooWide, boolean few, double wanted) {
    boolean cold = isCold();
    if (cold) {
      warmUpLonger();
    }
    int seen = run.blocksSeen();
    if (seen == 1 && arguments.remove(QUICK)) {
      longer("");
    } else if (seen == 1) {
      blocks(FIRST_INTERVALS);
    } else if (seen == 2 || (seen < Recommendation.FEW_BLOCKS && (wanted > 0 || tooWide))) {
      double least = Recommendation.FEW_BLOCKS;
      blocks(wanted <= MAX_BLOCKS ? Math.max(wanted, least) : least);
    } else if (wanted > 0) {
      blocks(wanted <= MAX_BLOCKS ? wanted : 2 * seen);
    } else if (tooWide) {
      blocks(2 * seen);
    } else if (!cold && isShorterThanFull()) {
      arguments.remove(QUICK);
      arguments.add(FULL);
      longer(FULL);
    } else if (few) {
      blocks(Recommendation.FEW_BLOCKS);
    }
  }

  private boolean isShorterThanFull() {
    return !run.experiment().variants().onlyFull().isEmpty()
        && run.plan().longerForms().containsKey(FULL);
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

  private void warmUpLonger() {
    double now =
        run.counting().stream()
            .mapToDouble(trial -> trial.settings().get(CoreSettings.COMMON_WARM_UP))
            .min()
            .orElse(0);
    double longer = Math.max(LONG_WARM_UP, 2 * now);
    String setting = CoreSettings.COMMON_WARM_UP.name() + "=";
    for (int i = arguments.size() - 1; i > 0; i--) {
      if (arguments.get(i).startsWith(setting) && arguments.get(i - 1).equals("--set")) {
        arguments.subList(i - 1, i + 1).clear();
        i--;
      }
    }
    arguments.addAll(List.of("--set", "%s%.0fs".formatted(setting, Math.ceil(longer))));
    secondsMore =
        run.plan().groups().stream()
            .filter(group -> group.block() == 0)
            .mapToDouble(g -> now > 0 ? g.commonWarmUp() * (longer / now - 1) : longer)
            .sum();
  }

  private String command() {
    arguments.remove("--verbose");
    if (!arguments.equals(run.plan().arguments())) {
      remove("--within"); // what takes longer may not fit
    }
    return arguments.stream()
        .map(word -> word.matches("[\\w./,=:@%+-]+") ? word : "'" + word + "'")
        .collect(Collectors.joining(" ", "./pyrometer ", ""));
  }

  private OptionalDouble duration() {
    double all = seconds.orElseGet(this::secondsOfBlocks) + blocks * secondsMore;
    return Double.isNaN(all) ? OptionalDouble.empty() : OptionalDouble.of(all);
  }

  private double secondsOfBlocks() {
    double probes =
        run.probes().stream().mapToDouble(probe -> Plan.estimatedSeconds(probe.probe())).sum();
    double block =
        run.plan().groups().stream()
            .filter(group -> group.block() == 0)
            .mapToDouble(Plan::estimatedSeconds)
            .sum();
    return blocks * block + probes;
  }
}
