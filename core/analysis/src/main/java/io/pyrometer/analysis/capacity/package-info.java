/**
 * What a cluster would do, from service demands: operational laws (Denning and Buzen, The
 * Operational Analysis of Queueing Network Models, 1978), exact mean value analysis, and the number
 * of servers that a rate needs.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.analysis.capacity;
