/** Results of runs that others can check: a file, its evidence, and the figures made anew of it. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.publication;
