/** The driver {@code coherence}. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.coherence;
