package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The first finding of a run that does not answer its question, with the run that would. */
public final class NoAnswer {
  private static final String BLOCKS = "--blocks";

  /** Beyond, the trials are too noisy rather than too few. */
  private static final int MAX_BLOCKS = 100;

  private NoAnswer() {}

  /** Empty unless most trials were disturbed. */
  public static Optional<Finding> ofDisturbed(RunRecord run) {
    int trials = run.counting().size();
    long disturbed = run.counting().stream().filter(TrialRecord::disturbed).count();
    return 2 * disturbed <= trials
        ? Optional.empty()
        : Optional.of(
            finding(
                "%d of %d trials were disturbed by the machine".formatted(disturbed, trials),
                "Repeat the run on a machine that does nothing else: "
                    + command(run, run.plan().arguments(), run.plan().blocks())));
  }

  /**
   * Of a run none of whose rankings recommends a treatment.
   *
   * @param reasons a clause for each ranking that has valid trials
   */
  static Finding of(RunRecord run, List<Recommendation> recommendations, List<String> reasons) {
    if (recommendations.isEmpty() && !run.counting().isEmpty()) {
      return finding(
          "these treatments are not compared by throughput",
          "Name the analysis that compares them under 'analyses'.");
    }
    if (reasons.isEmpty()) {
      return finding("no trial is valid", "The reasons are listed with each trial.");
    }
    return finding(
        String.join("; ", reasons),
        recommendations.stream()
            .filter(Recommendation::isOpen)
            .mapToDouble(Recommendation::blocksForVerdict)
            .min()
            .stream()
            .mapToObj(blocks -> moreBlocks(run, blocks))
            .findFirst()
            .orElse("Use a lower rate, longer trials, or treatments that keep their guarantees."));
  }

  private static String moreBlocks(RunRecord run, double wanted) {
    if (wanted > MAX_BLOCKS) {
      return "More than %d blocks would be needed for one: lengthen the trials first, as with --set measure=10s."
          .formatted(MAX_BLOCKS);
    }
    int blocks = Math.max(run.blocksSeen() + 1, (int) Math.ceil(wanted));
    List<String> arguments = new ArrayList<>(run.plan().arguments());
    int given = arguments.indexOf(BLOCKS);
    if (given >= 0) {
      arguments.subList(given, Math.min(arguments.size(), given + 2)).clear();
    }
    arguments.removeIf(argument -> argument.startsWith(BLOCKS + "="));
    arguments.addAll(List.of(BLOCKS, String.valueOf(blocks)));
    return "About %d blocks would give one: %s".formatted(blocks, command(run, arguments, blocks));
  }

  private static String command(RunRecord run, List<String> arguments, int blocks) {
    double block =
        run.plan().groups().stream()
            .filter(group -> group.block() == 0)
            .mapToDouble(Plan::estimatedSeconds)
            .sum();
    return "./pyrometer %s, %s."
        .formatted(String.join(" ", arguments), Phrases.about(blocks * block));
  }

  private static Finding finding(String reason, String next) {
    return Finding.warning(Kind.NOT_ENOUGH_RUNS, "No answer: %s. %s".formatted(reason, next), next);
  }
}
