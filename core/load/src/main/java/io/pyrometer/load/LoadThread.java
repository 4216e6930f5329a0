package io.pyrometer.load;

/**
 * A load thread's place among all load threads of a trial. A thread's own keys are those that leave
 * the remainder {@code index} when divided by {@code count}.
 *
 * @param index from 0, over all agents and their threads
 * @param count load threads of the trial, over all agents
 */
public record LoadThread(int index, int count) {}
