/**
 * The records that cross a pipe or the disk, and their JSON. They carry no behaviour of their own.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.protocol;
