package io.pyrometer.results.ranking;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.report.Finding;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The answer of a run that ranks treatments, as data.
 *
 * @param choices one for each job, offered rate and differing condition, in the order of reports
 * @param confidence the lowest of the recommendations; empty where there is none
 * @param loweredBy the reasons for less than a high confidence, as {@code confidence.one-block}
 * @param validFor the systems that the figures apply to, as {@code valid.cluster}
 * @param next empty where there is no recommendation
 */
public record Answer(
    List<Choice> choices,
    Optional<Confidence> confidence,
    List<Finding> loweredBy,
    List<Finding> validFor,
    Optional<Next> next) {

  /** Confidence in a recommendation. */
  public enum Confidence {
    /** One block, or no difference between the first two candidates is shown. */
    @JsonProperty("low")
    LOW,
    /** Fewer than {@value Recommendation#FEW_BLOCKS} blocks, or code that was not warm. */
    @JsonProperty("medium")
    MEDIUM,
    @JsonProperty("high")
    HIGH
  }

  /**
   * The recommended treatment of a job, or the reason why there is none.
   *
   * @param part of the job, such as a benchmark; empty for all of it
   * @param rate calls a second that are offered; 0 for a closed loop
   * @param condition under which it is chosen; empty where there is only one, or the same choice is
   *     good under all
   */
  public record Choice(
      Job job,
      String part,
      double rate,
      String condition,
      Optional<Recommended> recommended,
      Optional<Finding> none) {

    /** The job as the first column of a table shows it. */
    public String label() {
      return (part.isEmpty() ? job.id() : part) + (condition.isEmpty() ? "" : " · " + condition);
    }
  }

  /**
   * A recommended treatment.
   *
   * @param figure throughput in records/s, or in an open loop the worst p99 in ms; of several
   *     conditions the least favourable
   * @param ratio to the baseline; empty for the baseline itself; of several conditions likewise
   * @param conditions the number of conditions under which the figures are the least favourable
   * @param guarantees empty where the treatment only reads
   * @param alike the other treatments that are not significantly different, best first; of one
   *     block those that are within {@value Recommendation#CLOSE} of it
   * @param cheaper a treatment that uses less CPU time and loses at most {@value
   *     Recommendation#LOSS}
   */
  public record Recommended(
      String treatment,
      Estimate figure,
      Optional<Estimate> ratio,
      String baseline,
      int conditions,
      Set<Requirement> guarantees,
      List<Probed> probed,
      List<Alternative> alike,
      Optional<Alternative> cheaper,
      Confidence confidence) {}

  /**
   * The counts of a guarantee probe.
   *
   * @param staleOrLost of {@code checked} keys or reads
   */
  public record Probed(ProbeKind probe, long staleOrLost, long checked) {
    /** Returns whether enough was checked for a result: one stale or lost key is conclusive. */
    public boolean isTested() {
      return staleOrLost > 0 || checked >= ProbeCounts.MIN_CHECKED;
    }
  }

  /**
   * Another treatment.
   *
   * @param ratio its figure over that of the recommended one
   */
  public record Alternative(String treatment, Optional<Estimate> ratio) {}

  /**
   * The command that settles most of what the run leaves open.
   *
   * @param seconds its planned duration; empty where that is not known
   */
  public record Next(String command, OptionalDouble seconds) {}

  /** The recommended treatments. */
  public List<Recommended> recommended() {
    return choices.stream().flatMap(choice -> choice.recommended().stream()).toList();
  }
}
