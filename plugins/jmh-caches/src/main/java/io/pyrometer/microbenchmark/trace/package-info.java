/** Sequences of requests to a cache, and the hits that no cache can exceed. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.microbenchmark.trace;
