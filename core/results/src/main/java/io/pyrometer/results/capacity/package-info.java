/** Service demands of trials, and the number of servers that a rate needs by them. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.capacity;
