/**
 * Interfaces that a product's driver implements, and the helper that runs servers as native
 * processes.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver;
