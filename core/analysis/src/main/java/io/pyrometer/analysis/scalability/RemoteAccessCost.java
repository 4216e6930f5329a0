package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;

/**
 * The law read as service times, for σ &gt; 1: λ/(1+h(1−1/N)+κ(N−1)).
 *
 * @param h = σ−1: how much more a request costs when its key lives on another node, as a share
 * @param kappa how much more every further node makes each request cost, as a share
 * @param base 1/λ: the time of a request at N = 1, in units of time by request
 */
public record RemoteAccessCost(Estimate h, Estimate kappa, Estimate base) {}
