/**
 * The load generator's hot path: it allocates nothing per operation, takes no lock and knows no
 * grid.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.load;
