package io.pyrometer.scenario;

/**
 * An answer of the mock, as a service takes it; not necessarily the service that asked.
 *
 * @param request id of the request that it is about
 * @param client index of the client that waits for the reply
 * @param number of the answer, from 1
 * @param of answers in all
 * @param payload random bits
 * @param measured whether the request counts
 */
public record MockAnswer(
    long request, int client, int number, int of, long payload, boolean measured)
    implements Subject {}
