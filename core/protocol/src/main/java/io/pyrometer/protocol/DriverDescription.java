package io.pyrometer.protocol;

import io.pyrometer.protocol.ServerDescription.StorageLimit;
import io.pyrometer.protocol.SettingDescription.Needs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A driver as the coordinator knows it, which never loads the driver's classes.
 *
 * @param capabilities what grids of this product can do here: {@code nodes}, {@code attach}, {@code
 *     config}, {@link #ELASTIC}, {@link #DOCTOR}
 * @param servers how servers are started
 * @param jvmFlags what the JVMs of servers and agents need, by the JDK's feature version
 * @param settings those that hold for every path of the driver
 * @param equalTerms how the driver makes terms true that an experiment holds equal
 * @param data how entries are stored, as a function of the settings
 * @param frameCategories kinds of the product's work in profiles, the more specific first
 * @param tunable what {@code tune} varies where an experiment names nothing, the most important
 *     first
 */
public record DriverDescription(
    String name,
    String product,
    String version,
    String summary,
    List<String> capabilities,
    ServerDescription servers,
    List<JvmFlags> jvmFlags,
    List<SettingDescription> settings,
    List<PathDescription> paths,
    List<EqualTerm> equalTerms,
    DataFactRules data,
    List<FrameCategory> frameCategories,
    List<Tunable> tunable) {

  /** The capability to pass options on to the product, see {@link SettingDescription#property}. */
  public static final String PROPERTIES = "properties";

  /** The capability of servers to join a grid that is running, and to come back to it. */
  public static final String ELASTIC = "elastic";

  /** The capability of a driver to look for faults in a grid and in a configuration file. */
  public static final String DOCTOR = "doctor";

  /**
   * The setting by which a driver offers other versions of its product, the driver's own first. Its
   * folder then has a Maven project {@code versions/pom.xml} that resolves them.
   */
  public static final String PRODUCT_VERSION = "product-version";

  /**
   * The name of the fact, in the configuration that is read back, which names the product and its
   * version, as {@code Redis 7.0.15}, where only what is installed on a machine tells them.
   */
  public static final String INSTALLED = "product";

  /** Copies the collections; a description without options to tune lacks them. */
  public DriverDescription {
    frameCategories = List.copyOf(frameCategories);
    tunable = tunable == null ? List.of() : List.copyOf(tunable);
  }

  /**
   * A setting that {@code tune} varies.
   *
   * @param levels to try, as a file writes them
   * @param productDefault what holds where the setting is absent; empty if that is not one value
   * @param needs what another setting must be for it to take effect
   */
  public record Tunable(
      String setting,
      List<String> levels,
      Optional<String> productDefault,
      Optional<Needs> needs) {}

  /** The option of the product with this name, {@link SettingDescription#PROPERTY} before it. */
  public Optional<SettingDescription> property(String name) {
    boolean isOne =
        capabilities.contains(PROPERTIES)
            && name.startsWith(SettingDescription.PROPERTY)
            && name.length() > SettingDescription.PROPERTY.length();
    return isOne
        ? Optional.of(SettingDescription.property(name, tunable(name).flatMap(Tunable::needs)))
        : Optional.empty();
  }

  /** How {@code tune} varies a setting by itself; empty if only an experiment's levels do. */
  public Optional<Tunable> tunable(String setting) {
    return tunable.stream().filter(each -> each.setting().equals(setting)).findFirst();
  }

  /** Flags needed from a JDK's feature version on. */
  public record JvmFlags(int fromJdk, List<String> flags) {}

  /** Checks whether grids of this product have server nodes that Pyrometer can start. */
  public boolean startsServers() {
    return capabilities.contains("nodes");
  }

  /** The flags that JVMs of servers and agents need on a JDK of this feature version. */
  public List<String> jvmFlags(int jdk) {
    return jvmFlags.stream()
        .filter(flags -> flags.fromJdk() <= jdk)
        .flatMap(flags -> flags.flags().stream())
        .toList();
  }

  /** How the driver makes a term of this value true; empty if it cannot. */
  public Optional<EqualTerm> equalTerm(String term, Object value) {
    return equalTerms.stream()
        .filter(each -> each.name().equals(term))
        .filter(each -> each.value().map(value.toString()::equals).orElse(true))
        .findFirst();
  }

  /**
   * The bound of the records that one server holds, given complete settings; empty if nothing does.
   */
  public Optional<StorageLimit> storageLimit(Settings complete) {
    return servers
        .storage()
        .filter(
            limit ->
                settings.stream()
                    .filter(setting -> limit.unless().contains(setting.name()))
                    .allMatch(
                        setting ->
                            setting
                                .initial()
                                .equals(
                                    Optional.ofNullable(complete.values().get(setting.name())))));
  }

  /** The settings given for processes, and beneath them the driver's defaults. */
  public Settings complete(Settings given) {
    return complete(settings.stream(), given);
  }

  /** The settings given for a trial, and beneath them the defaults of the driver and of a path. */
  public Settings complete(String path, Settings given) {
    Stream<SettingDescription> ofPath = path(path).stream().flatMap(p -> p.settings().stream());
    return complete(Stream.concat(settings.stream(), ofPath), given);
  }

  private static Settings complete(Stream<SettingDescription> all, Settings given) {
    Map<String, Object> defaults = new HashMap<>();
    all.forEach(setting -> setting.initial().ifPresent(v -> defaults.put(setting.name(), v)));
    return new Settings(defaults).with(given);
  }

  /** How a grid of this product stores the entries of a trial with these settings. */
  public DataFacts data(Settings trial) {
    return data.of(complete(trial));
  }

  /**
   * The declared guarantees of a treatment.
   *
   * @param servers that hold the data
   */
  public Set<Requirement> guarantees(Settings trial, int servers) {
    return Requirement.of(guarantee(trial), data(trial), servers);
  }

  /**
   * The guarantee of a trial's path for its writes with the trial's settings. Where no copy
   * acknowledges a write, an earlier one may arrive after it.
   */
  public Optional<Guarantee> guarantee(Settings trial) {
    boolean acknowledged = data(trial).acknowledgedBy() != DataFacts.Acknowledgement.NONE;
    return path(trial.get(CoreSettings.PATH))
        .flatMap(path -> path.guarantee(trial))
        .map(
            of ->
                new Guarantee(
                    of.overwrites(), of.ordered() && acknowledged, of.durable(), of.atomic()));
  }

  /** The path of this name; empty if the driver has none. */
  public Optional<PathDescription> path(String name) {
    return paths.stream().filter(path -> path.name().equals(name)).findFirst();
  }
}
