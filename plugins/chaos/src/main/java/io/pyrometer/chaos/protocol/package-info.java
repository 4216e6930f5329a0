/** What coordinator and workers have in common. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.chaos.protocol;
