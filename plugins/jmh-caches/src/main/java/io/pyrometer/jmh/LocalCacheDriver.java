package io.pyrometer.jmh;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DataFactRules.Rule;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.ServerDescription;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The driver of a product that is a cache within a JVM: it has benchmarks and no servers. */
public abstract class LocalCacheDriver implements GridDriver, CacheProvider {

  private static final DataFactRules LOCAL =
      new DataFactRules(
          List.of(new Rule("Placement", Placement.LOCAL.name(), List.of(), Map.of())));

  private static final Pattern JAR_VERSION = Pattern.compile("-(\\d+(?:\\.\\d+)+)[^/]*\\.jar$");

  private final String name;
  private final String product;
  private final String version;
  private final String summary;
  private final Set<Benchmark> lacking;

  /**
   * @param name of the driver
   * @param version of the product
   * @param lacking the benchmarks that the product cannot run
   */
  protected LocalCacheDriver(
      String name, String product, String version, String summary, Benchmark... lacking) {
    this.name = name;
    this.product = product;
    this.version = version;
    this.summary = summary;
    this.lacking = Set.of(lacking);
  }

  /** Returns whether other caches are compared with this one. */
  protected boolean isReference() {
    return false;
  }

  /** Makes an empty cache. */
  protected abstract CacheUnderTest open(CacheSpec spec);

  /**
   * The version in a jar's manifest, otherwise that in its file name; {@code unknown} if neither.
   */
  protected static String versionOf(Class<?> type) {
    String version = type.getPackage().getImplementationVersion();
    if (version != null) {
      return version;
    }
    String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    Matcher named = JAR_VERSION.matcher(jar);
    return named.find() ? named.group(1) : "unknown";
  }

  @Override
  public Caches start(BenchmarkSpec spec) {
    return this::open;
  }

  @Override
  public final DriverDescription describe() {
    return new DriverDescription(
        name,
        product,
        version,
        summary,
        List.of(),
        ServerDescription.NO_PORTS,
        List.of(),
        List.of(),
        Stream.of(Benchmark.values())
            .filter(benchmark -> !lacking.contains(benchmark))
            .map(benchmark -> benchmark.description(isReference()))
            .toList(),
        List.of(),
        LOCAL,
        List.of(),
        List.of());
  }

  @Override
  public final GridSession openSession(Command.OpenSession spec) {
    throw GridException.of(
        "%s is a cache within a JVM: give its trials a 'benchmark', not a 'path'.", product);
  }
}
