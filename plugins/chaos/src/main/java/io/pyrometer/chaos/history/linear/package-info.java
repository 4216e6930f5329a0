/** Linearizability of histories, and the smallest counterexamples. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.chaos.history.linear;
