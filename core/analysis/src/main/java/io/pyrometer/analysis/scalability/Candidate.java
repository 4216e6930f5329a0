package io.pyrometer.analysis.scalability;

import java.util.OptionalDouble;

/**
 * A model among its rivals.
 *
 * @param deltaAicc how much worse than the best; within 2 nothing tells them apart, over 10 nothing
 *     speaks for it; empty where there are too few points for AICc
 */
public record Candidate(LawFit fit, OptionalDouble deltaAicc) {}
