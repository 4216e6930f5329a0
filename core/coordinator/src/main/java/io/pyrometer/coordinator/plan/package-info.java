/** What is to be measured next. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.plan;
