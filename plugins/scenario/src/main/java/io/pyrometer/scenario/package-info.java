/** The trial kind of scenarios: requests that pass through a client, services and mocks. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.scenario;
