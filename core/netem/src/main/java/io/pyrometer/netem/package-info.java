/**
 * Networks of Pyrometer's own, as slow and uneven as farther ones would be: a relay of TCP
 * connections over loopback, and a switch of Ethernet frames between network namespaces.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.netem;
