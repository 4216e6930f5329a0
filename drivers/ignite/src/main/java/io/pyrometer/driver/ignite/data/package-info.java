/** Records as Ignite stores them, and what is computed from them beside the data. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ignite.data;
