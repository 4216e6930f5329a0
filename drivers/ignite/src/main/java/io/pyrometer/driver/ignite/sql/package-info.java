/** Queries of the user's: their file, the tables that they read, and what they must answer. */
@NullMarked
package io.pyrometer.driver.ignite.sql;

import org.jspecify.annotations.NullMarked;
