/** What a scenario's service implements and is given, and what a driver implements for it. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.scenario.api;
