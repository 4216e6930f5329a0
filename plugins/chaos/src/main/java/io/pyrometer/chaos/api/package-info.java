/** What a driver implements for it. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.chaos.api;
