/** The command line. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.cli;
