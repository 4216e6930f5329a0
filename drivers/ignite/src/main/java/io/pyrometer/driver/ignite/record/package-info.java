/** Classes of the records that ship, for values that are objects. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ignite.record;
