package io.pyrometer.driver.hazelcast;

import java.util.concurrent.ForkJoinPool;

/**
 * Hazelcast completes asynchronous calls, those inside putAll among them, on the JVM's common pool,
 * and Java starts a thread for each completion where that pool has a parallelism of one, as it has
 * on two cores. Bulk writes are up to ten times slower then, so the pool gets two threads.
 */
final class CommonPool {
  private static final String PROPERTY = "java.util.concurrent.ForkJoinPool.common.parallelism";

  private CommonPool() {}

  /** Has an effect before anything has used the pool. */
  static void raise() {
    if (Runtime.getRuntime().availableProcessors() <= 2 && System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, "2");
    }
  }

  /** What the pool really has. */
  static String parallelism() {
    return String.valueOf(ForkJoinPool.getCommonPoolParallelism());
  }
}
