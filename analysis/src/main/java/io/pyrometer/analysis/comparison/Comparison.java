package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A candidate against a baseline on one response.
 *
 * @param baseline the geometric mean with its interval
 * @param candidate the same of the candidate
 * @param ratio candidate/baseline of the geometric means, the estimate that the verdict rests on
 * @param paired whether the runs were compared within blocks
 * @param tTest p of the log-t test, two-sided; 1 where there is no replicate
 * @param ranks p of the exact rank test: signed ranks for pairs, Mann–Whitney otherwise
 * @param hodgesLehmann the typical ratio by ranks, with its exact interval at the confidence that
 *     so few runs allow
 * @param cliffsDelta P(candidate &gt; baseline) − P(candidate &lt; baseline), −1…1
 * @param fieller the ratio of arithmetic means as a check; only for runs that are not paired
 * @param verdict from {@code ratio}'s interval and the rule
 * @param furtherRuns about how many more of each it takes for a verdict; empty if there is one, or
 *     if a thousand would not do
 * @param finding the verdict in words
 */
public record Comparison(
    Estimate baseline,
    Estimate candidate,
    Estimate ratio,
    boolean paired,
    double tTest,
    double ranks,
    Estimate hodgesLehmann,
    double cliffsDelta,
    Optional<Estimate> fieller,
    Verdict verdict,
    OptionalInt furtherRuns,
    Finding finding) {}
