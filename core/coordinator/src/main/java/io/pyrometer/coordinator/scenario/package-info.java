/** What the logs of a scenario's processes say: outcomes, lost messages, and where time went. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.scenario;
