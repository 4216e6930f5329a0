/** How reports present scenarios. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.scenario.report;
