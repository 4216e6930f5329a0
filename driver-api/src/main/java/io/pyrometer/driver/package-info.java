/** The driver SPI, and the worker process that serves as a node or an agent. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver;
