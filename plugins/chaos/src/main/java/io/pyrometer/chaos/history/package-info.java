/** Histories of concurrent operations, their files, and how they are drawn. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.chaos.history;
