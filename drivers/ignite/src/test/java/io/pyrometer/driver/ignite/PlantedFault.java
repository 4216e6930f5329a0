package io.pyrometer.driver.ignite;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * A fault that is planted into a stock cluster: in its servers, in the application's cache, or in
 * how an application uses it.
 *
 * @param name of the check that should find it, or of a cluster without faults, "healthy…"
 * @param planted the fault in a few words
 * @param cache changes the application's cache, which is Ignite's default with one backup
 * @param setup runs once, before the load
 * @param load a step of the application, which its threads repeat
 * @param threads of the application
 * @param ownJvm flags of the application's JVM; empty if it runs in the test's
 */
record PlantedFault(
    String name,
    String planted,
    Servers servers,
    UnaryOperator<CacheConfiguration<Object, Object>> cache,
    Setup setup,
    Step load,
    int threads,
    Optional<String> ownJvm) {
  static final String CACHE = "orders";
  private static final int KEYS = 20_000;

  /** Preparation of an application. */
  interface Setup {
    void run(Application application) throws Exception;
  }

  /** One step of one thread of the application. */
  interface Step {
    void run(Application application, long step) throws Exception;
  }

  /** Place of the last server. */
  enum Site {
    HERE,
    /** In a network of its own. */
    LINK
  }

  /**
   * The servers of a cluster.
   *
   * @param properties of their configuration
   * @param flags of their JVMs, which may add to their class path
   * @param lastFlags of the last one's JVM besides
   */
  record Servers(int count, String properties, String flags, String lastFlags, Site site) {
    static final Servers STOCK = of(region(512, ""));
    static final Servers WITH_CODE = STOCK.flags(ownClasses());

    static Servers of(String properties) {
      return new Servers(2, properties, "", "", Site.HERE);
    }

    Servers count(int servers) {
      return new Servers(servers, properties, flags, lastFlags, site);
    }

    Servers flags(String more) {
      return new Servers(count, properties, flags + " " + more, lastFlags, site);
    }

    Servers last(String more, Site other) {
      return new Servers(count, properties, flags, more, other);
    }
  }

  static final Step MIX =
      (application, step) -> {
        Map<Object, Object> some = batch(50);
        application.cache().putAll(some);
        application.cache().getAll(some.keySet());
      };

  static PlantedFault of(String name, String planted) {
    return new PlantedFault(
        name, planted, Servers.STOCK, each -> each, none -> {}, MIX, 1, Optional.empty());
  }

  PlantedFault servers(Servers own) {
    return new PlantedFault(name, planted, own, cache, setup, load, threads, ownJvm);
  }

  PlantedFault cache(UnaryOperator<CacheConfiguration<Object, Object>> own) {
    return new PlantedFault(name, planted, servers, own, setup, load, threads, ownJvm);
  }

  PlantedFault transactional() {
    return cache(each -> each.setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
  }

  PlantedFault setup(Setup own) {
    return new PlantedFault(name, planted, servers, cache, own, load, threads, ownJvm);
  }

  /** With a load of two threads. */
  PlantedFault load(Step own) {
    return new PlantedFault(name, planted, servers, cache, setup, own, 2, ownJvm);
  }

  PlantedFault threads(int count) {
    return new PlantedFault(name, planted, servers, cache, setup, load, count, ownJvm);
  }

  PlantedFault ownJvm(String flags) {
    return new PlantedFault(
        name, planted, servers, cache, setup, load, threads, Optional.of(flags));
  }

  static String region(int megabytes, String properties) {
    return storage("", megabytes, properties);
  }

  static String persistent(int megabytes, String storage, String region) {
    return storage(
        storage, megabytes, "<property name=\"persistenceEnabled\" value=\"true\"/>" + region);
  }

  private static String storage(String storage, int megabytes, String region) {
    return """
    <property name="dataStorageConfiguration">
      <bean class="org.apache.ignite.configuration.DataStorageConfiguration">
        %s
        <property name="defaultDataRegionConfiguration">
          <bean class="org.apache.ignite.configuration.DataRegionConfiguration">
            <property name="maxSize" value="%d"/>
            <property name="initialSize" value="%d"/>
            %s
          </bean>
        </property>
      </bean>
    </property>
    """
        .formatted(storage, (long) megabytes << 20, Math.min(64L, megabytes) << 20, region);
  }

  /** The flag with which servers know the classes of the application. */
  static String ownClasses() {
    return "-cp " + System.getProperty("java.class.path");
  }

  static Object key() {
    return key(KEYS);
  }

  static Object key(int bound) {
    return (long) ThreadLocalRandom.current().nextInt(bound);
  }

  static Set<Object> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> key()).collect(Collectors.toSet());
  }

  static String value(int length) {
    return "x".repeat(length);
  }

  static Map<Object, Object> batch(int size) {
    Map<Object, Object> some = new TreeMap<>();
    while (some.size() < size) {
      some.put(key(), value(100));
    }
    return some;
  }

  /** Long enough for what is called long, and for transactions and collections to be seen. */
  Duration observed(Duration usual) {
    return switch (name) {
      case "long-transactions" -> Duration.ofSeconds(13);
      case "transactional-single-writes" -> Duration.ofSeconds(20);
      case "client-memory" -> Duration.ofSeconds(20);
      default -> usual;
    };
  }

  /** How many steps each thread makes before the cluster is observed. */
  int before() {
    return switch (name) {
      case "uneven-load", "striped-pool", "hot-stripe", "skipped-keys" -> 100;
      case "client-memory" -> 1_000; // Ignite tells the heap of some seconds ago
      default -> 0;
    };
  }

  boolean healthy() {
    return name.startsWith("healthy");
  }

  @Override
  public String toString() {
    return name + " (" + planted + ")";
  }
}
