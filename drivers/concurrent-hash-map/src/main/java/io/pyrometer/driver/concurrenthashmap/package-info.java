/** The JDK's ConcurrentHashMap, the reference that caches are compared with. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.concurrenthashmap;
