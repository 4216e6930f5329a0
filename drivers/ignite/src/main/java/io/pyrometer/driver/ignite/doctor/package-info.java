/** The checks of {@code pyrometer doctor}: what may be wrong in a cluster or a configuration. */
package io.pyrometer.driver.ignite.doctor;
