/** Server and client nodes of Ignite in this JVM: their configuration, log and end. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ignite.node;
