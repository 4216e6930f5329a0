/** Passes TCP connections on over loopback, as slowly and unevenly as a farther network would. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.grid.relay;
