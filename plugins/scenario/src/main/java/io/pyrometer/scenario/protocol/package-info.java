/** What coordinator and workers agree on for scenarios over several processes. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.scenario.protocol;
