/** How the coordinator runs a scenario's trial and evaluates the logs of its processes. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.scenario.trial;
