package io.pyrometer.results.capacity;

import java.util.Optional;

/**
 * What is asked, in records rather than calls.
 *
 * @param path whose trials are taken; empty where the run has one alone
 * @param recordsPerSecond offered
 * @param p99Seconds limit; empty for none
 * @param cpus of each server
 * @param linkBitsPerSecond of each server
 * @param roundTripSeconds between machines
 * @param backups copies besides the primary one; empty for as many as were measured
 * @param dataBytes of records, without overhead and copies; 0 where memory is not asked
 * @param recordBytes of a record as the user counts them; empty for what one copy took
 * @param memoryBytes for data on each server; empty where it is not limited
 * @param clients machines with clients; empty for as many as are needed
 * @param clientCpus of each of them
 * @param hottestShare of the calls that go to the most popular key
 * @param beyond whether to extrapolate to more than four times the largest measured number of
 *     servers
 */
public record CapacityQuestion(
    Optional<String> path,
    double recordsPerSecond,
    Optional<Double> p99Seconds,
    int cpus,
    double linkBitsPerSecond,
    double roundTripSeconds,
    Optional<Integer> backups,
    double dataBytes,
    Optional<Double> recordBytes,
    Optional<Double> memoryBytes,
    Optional<Integer> clients,
    int clientCpus,
    double hottestShare,
    boolean beyond) {}
