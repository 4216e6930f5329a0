package io.pyrometer.driver.ignite;

import io.pyrometer.protocol.DriverDescription.JvmFlags;
import java.util.ArrayList;
import java.util.List;

/** What the JVMs of nodes and agents must be started with. */
final class IgniteJvmFlags {
  private static final List<String> OPENED =
      List.of(
          "java.base/jdk.internal.access",
          "java.base/jdk.internal.misc",
          "java.base/sun.nio.ch",
          "java.base/sun.util.calendar",
          "java.base/sun.reflect.generics.reflectiveObjects",
          "java.base/java.io",
          "java.base/java.nio",
          "java.base/java.net",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.locks",
          "java.base/java.util.concurrent.atomic",
          "java.base/java.lang",
          "java.base/java.lang.invoke",
          "java.base/java.math",
          "java.base/java.time",
          "java.base/java.text",
          "java.management/com.sun.jmx.mbeanserver",
          "java.management/sun.management",
          "jdk.internal.jvmstat/sun.jvmstat.monitor",
          "jdk.management/com.sun.management.internal",
          "java.sql/java.sql");

  private IgniteJvmFlags() {}

  /** Memory access through Unsafe is refused from JDK 24 on unless it is allowed. */
  static List<JvmFlags> all() {
    return List.of(
        new JvmFlags(17, from17()),
        new JvmFlags(24, List.of("--sun-misc-unsafe-memory-access=allow")));
  }

  private static List<String> from17() {
    List<String> flags = new ArrayList<>();
    OPENED.forEach(opened -> flags.add("--add-opens=" + opened + "=ALL-UNNAMED"));
    flags.add("-Djava.net.preferIPv4Stack=true");
    flags.add("-DIGNITE_UPDATE_NOTIFIER=false");
    flags.add("-DIGNITE_QUIET=true");
    flags.add("-DIGNITE_NO_ASCII=true");
    flags.add("-DIGNITE_NO_SHUTDOWN_HOOK=true");
    // Nobody looks at them, and a node takes a tenth longer to start with them.
    flags.add("-DIGNITE_MBEANS_DISABLED=true");
    flags.add("-DIGNITE_PERFORMANCE_SUGGESTIONS_DISABLED=true");
    return List.copyOf(flags);
  }
}
