/** A cache as access paths call it, whichever client they call it through. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ignite.client;
