package io.pyrometer.driver.ignite.doctor;

/** The registries of metrics of Ignite's thread pools. */
final class Pools {
  static final String STRIPED = pool("Striped");
  static final String STREAMER = pool("GridDataStream");
  static final String PUBLIC = pool("GridExecution");
  static final String SYSTEM = pool("GridSystem");
  static final String QUERY = pool("GridQuery");
  static final String SERVICES = pool("GridServices");
  static final String THIN = pool("GridThinClient");

  private Pools() {}

  private static String pool(String name) {
    return "threadPools." + name + "Executor";
  }
}
