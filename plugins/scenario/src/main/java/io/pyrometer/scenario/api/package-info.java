/** What a scenario's service implements, and what it is given; and the process that carries it. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.scenario.api;
