/**
 * How throughput goes with the number of nodes, of clients, or of both: the scalability law
 * (Gunther, Guerrilla Capacity Planning, 2007), its rivals, and what they say beyond the measured
 * range.
 */
package io.pyrometer.analysis.scalability;
