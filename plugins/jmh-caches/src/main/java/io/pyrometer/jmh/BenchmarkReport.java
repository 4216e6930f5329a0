package io.pyrometer.jmh;

import io.pyrometer.protocol.Reading;
import java.util.List;
import java.util.Map;

/**
 * Report of the JVM of a benchmark at its end, in addition to JMH's own result.
 *
 * @param recordsPerOperation entries that one of JMH's operations handles, on average
 * @param expected what should have been found in the cache and counted, in words
 * @param found what was
 * @param problems each difference, one sentence; empty where verification passed
 * @param readings such as the hit rate and the memory of an entry
 * @param configuration read back from the cache, and what the JVM runs with
 * @param cpuSeconds CPU time of the JVM since its start
 */
public record BenchmarkReport(
    double recordsPerOperation,
    String expected,
    String found,
    List<String> problems,
    List<Reading> readings,
    Map<String, String> configuration,
    double cpuSeconds) {}
