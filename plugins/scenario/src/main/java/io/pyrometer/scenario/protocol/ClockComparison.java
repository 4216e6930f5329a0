package io.pyrometer.scenario.protocol;

/**
 * The steady clock of another process against one's own: what it said, less the middle of the way
 * there and back of the quickest question.
 *
 * @param process whose clock, such as {@code service-0}
 * @param offsetNanos how far its clock is ahead
 * @param errorNanos half the time of that question, which bounds the error of the offset
 */
public record ClockComparison(String process, long offsetNanos, long errorNanos) {}
