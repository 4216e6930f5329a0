/**
 * The processes of a scenario: client, service and mock, what they record, and the messages between
 * them.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.scenario.worker;
