package io.pyrometer.analysis.comparison;

/**
 * What is compared, as the sentences name it.
 *
 * @param response for example {@code throughput}
 * @param unit of the response, for example {@code ops/s}
 * @param baseline the name of what is compared against
 * @param candidate the name of what is judged
 */
public record Subject(String response, String unit, String baseline, String candidate) {}
