/** Apache Ignite 2: the driver, its settings, its sessions and their trials. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ignite;
