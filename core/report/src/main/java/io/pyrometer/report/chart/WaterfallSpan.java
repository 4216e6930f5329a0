package io.pyrometer.report.chart;

/**
 * One span of a request.
 *
 * @param part what its time counts as
 * @param fromMillis since the begin of the request
 * @param millis how long it took
 */
public record WaterfallSpan(
    String process, String name, String part, double fromMillis, double millis) {}
