package io.pyrometer.driver.ignite.doctor;

/** Ignite's thread pools. */
enum ThreadPool {
  STRIPED("Striped", "striped", "sys-stripe-", "stripedPoolSize"),
  STREAMER(
      "GridDataStream", "data streamer", "data-streamer-stripe-", "dataStreamerThreadPoolSize"),
  PUBLIC("GridExecution", "public", "pub-#", "publicThreadPoolSize"),
  SYSTEM("GridSystem", "system", "sys-#", "systemThreadPoolSize"),
  QUERY("GridQuery", "query", "query-#", "queryThreadPoolSize"),
  SERVICES("GridServices", "services", "svc-#", "serviceThreadPoolSize"),
  THIN("GridThinClient", "client connector", "client-connector-#", "threadPoolSize");

  /** The registry of its metrics. */
  final String registry;

  /** The name by which users know it. */
  final String label;

  /** The beginning of the names of its threads. */
  final String threads;

  /** The property of its size. */
  final String property;

  ThreadPool(String executor, String label, String threads, String property) {
    this.registry = "threadPools." + executor + "Executor";
    this.label = label;
    this.threads = threads;
    this.property = property;
  }

  /** The whole name of one of its metrics. */
  String metric(String name) {
    return registry + "." + name;
  }
}
