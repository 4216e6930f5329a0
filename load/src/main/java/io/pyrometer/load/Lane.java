package io.pyrometer.load;

/**
 * One load thread's share of the work. Lanes write disjoint keys: those that leave the remainder
 * {@code index} when divided by {@code count}.
 *
 * @param index from 0, over all agents and threads
 * @param count lanes of the trial
 */
public record Lane(int index, int count) {}
