package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Ports;
import io.pyrometer.driver.ignite.settings.BeanProperty;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TelemetryKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.management.MBeanRegistrationException;
import org.apache.ignite.IgniteCheckedException;
import org.apache.ignite.IgniteLogger;
import org.apache.ignite.calcite.CalciteQueryEngineConfiguration;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.configuration.ClientConnectorConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.SystemDataRegionConfiguration;
import org.apache.ignite.failure.StopNodeOrHaltFailureHandler;
import org.apache.ignite.indexing.IndexingQueryEngineConfiguration;
import org.apache.ignite.internal.IgnitionEx;
import org.apache.ignite.internal.util.typedef.X;
import org.apache.ignite.logger.java.JavaLogger;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.io.FileSystemResource;

/**
 * Ignite's configuration of a node: the user's own file where there is one, and over it what a node
 * of Pyrometer cannot do without: its addresses, its log and its end.
 */
public final class Configurations {
  /** A cluster that runs already answers at once, or is not there. */
  private static final long ATTACH_MILLIS = 10_000;

  private static final long JOIN_MILLIS = 60_000;

  private static final int RECONNECT_DELAY_MILLIS = 200;
  private static final int FAILURE_DETECTION_MILLIS = 10_000;
  private static final int COMMUNICATION_PORTS = 100;

  /**
   * Ignite's own 32 KB are less than one segment of the loopback device (64 KB), whose window then
   * closes, and messages of a few hundred KB wait for the kernel's probes of 200 ms.
   */
  private static final int SYSTEM_CHOOSES = 0;

  private static final long MIB = 1 << 20;
  private static final String LOOPBACK = "127.0.0.1";

  private Configurations() {}

  static IgniteConfiguration server(Command.StartServer spec) {
    String address = Address.host(spec.peers().get(spec.index()));
    IgniteConfiguration configuration = base(spec.config(), spec.workFolder());
    String name = "node-" + spec.index();
    Settings settings = spec.settings();
    configureSql(configuration, settings);
    configuration
        .setLocalHost(address)
        .setIgniteInstanceName(name)
        .setConsistentId(name)
        .setClientMode(false)
        .setClientConnectorConfiguration(clientConnector(configuration, address, spec.ports()))
        .setCommunicationSpi(communication(configuration))
        .setDiscoverySpi(discovery(spec.peers()).setLocalPort(spec.ports().get(0)));
    if (spec.config().isEmpty()) {
      GridConfiguration.configure(
          configuration.setDataStorageConfiguration(storage(settings)), settings);
    }
    BeanProperty.set(settings.properties(), configuration);
    return configuration;
  }

  static IgniteConfiguration client(Command.OpenSession spec) {
    IgniteConfiguration configuration = base(spec.config(), spec.workFolder());
    configureSql(configuration, spec.settings());
    configuration
        .setIgniteInstanceName("agent-" + spec.index())
        .setClientMode(true)
        .setClientConnectorConfiguration(null)
        .setCacheConfiguration();
    IgniteConfiguration client =
        spec.peers().isEmpty()
            ? lookingForItself(configuration, spec)
            : configuration
                .setLocalHost(facing(spec.peers()))
                .setCommunicationSpi(communication(configuration))
                .setDiscoverySpi(
                    discovery(spec.peers())
                        .setJoinTimeout(spec.attached() ? ATTACH_MILLIS : JOIN_MILLIS));
    Map<String, String> properties = new TreeMap<>(spec.settings().properties());
    // A client stores nothing.
    properties.keySet().removeIf(name -> name.startsWith("dataStorageConfiguration."));
    BeanProperty.set(properties, client);
    return client;
  }

  /** Discovery and communication stay as the user's file says. */
  private static IgniteConfiguration lookingForItself(
      IgniteConfiguration configuration, Command.OpenSession spec) {
    if (configuration.getDiscoverySpi() == null) {
      throw GridException.of(
          "The Ignite configuration '%s' has no discovery SPI, so it does not say where the grid"
              + " is.",
          spec.config().orElseThrow());
    }
    if (configuration.getDiscoverySpi() instanceof TcpDiscoverySpi tcp
        && tcp.getJoinTimeout() == 0) {
      tcp.setJoinTimeout(ATTACH_MILLIS);
    }
    return configuration;
  }

  private static IgniteConfiguration base(Optional<String> file, String workFolder) {
    return file.map(Configurations::read)
        .orElseGet(IgniteConfiguration::new)
        .setWorkDirectory(Path.of(workFolder).toAbsolutePath().toString())
        .setConnectorConfiguration(null)
        .setMetricsLogFrequency(0)
        .setFailureDetectionTimeout(FAILURE_DETECTION_MILLIS)
        .setClientFailureDetectionTimeout(FAILURE_DETECTION_MILLIS)
        // A node that is stopped in good order may hang on the very fault.
        .setFailureHandler(new StopNodeOrHaltFailureHandler(false, 0))
        .setGridLogger(warnings());
  }

  /** Ignite's warnings and errors on standard error, which the run saves. */
  private static IgniteLogger warnings() {
    Logger root = Logger.getLogger("");
    root.setLevel(Level.WARNING);
    for (Handler handler : root.getHandlers()) {
      // Nodes register no MBeans, and report each as an error.
      handler.setFilter(entry -> !(entry.getThrown() instanceof MBeanRegistrationException));
    }
    return new JavaLogger(false) {
      /** Loggers of categories would configure logging anew. */
      @Override
      public IgniteLogger getLogger(Object category) {
        return this;
      }

      @Override
      public void info(String message) {}
    };
  }

  private static TcpCommunicationSpi communication(IgniteConfiguration configuration) {
    TcpCommunicationSpi communication =
        configuration.getCommunicationSpi() instanceof TcpCommunicationSpi given
            ? given
            : new TcpCommunicationSpi()
                .setSocketSendBuffer(SYSTEM_CHOOSES)
                .setSocketReceiveBuffer(SYSTEM_CHOOSES);
    return communication.setLocalPort(Ports.free(LOOPBACK)).setLocalPortRange(COMMUNICATION_PORTS);
  }

  /**
   * Reads a file of the user's.
   *
   * @throws GridException with one sentence if it cannot be read
   */
  public static IgniteConfiguration read(String file) {
    try {
      return IgnitionEx.loadConfiguration(file).get1();
    } catch (IgniteCheckedException e) {
      if (X.hasCause(e, ClassNotFoundException.class)) {
        throw GridException.of(
            "The Ignite configuration '%s' names the class %s, which is not there; name its folder"
                + " or jar in --classpath.",
            file, X.cause(e, ClassNotFoundException.class).getMessage(), e);
      }
      throw GridException.of(
          "The Ignite configuration '%s' cannot be read (%s); it must be Spring XML with a bean of"
              + " the class IgniteConfiguration.",
          file, GridException.cause(e), e);
    }
  }

  /**
   * Gives a new configuration for each thin client (TLS, user and password, time-outs), as the
   * file's bean of the class {@link ClientConfiguration} says, or Ignite's defaults if it has none.
   * No other bean is created, but those that it refers to.
   *
   * @throws GridException if the file cannot be read or has several such beans
   */
  static Supplier<ClientConfiguration> thinClients(String file) {
    GenericXmlApplicationContext spring = new GenericXmlApplicationContext();
    spring.addBeanFactoryPostProcessor(Configurations::onDemand);
    try {
      spring.load(new FileSystemResource(file));
      spring.refresh();
    } catch (BeansException e) {
      throw unreadable(file, e);
    }
    ObjectProvider<ClientConfiguration> beans = spring.getBeanProvider(ClientConfiguration.class);
    return () -> {
      try {
        return beans.getIfAvailable(ClientConfiguration::new);
      } catch (BeansException e) {
        throw unreadable(file, e);
      }
    };
  }

  private static void onDemand(ConfigurableListableBeanFactory beans) {
    for (String name : beans.getBeanDefinitionNames()) {
      beans.getBeanDefinition(name).setLazyInit(true);
    }
    for (String thin : beans.getBeanNamesForType(ClientConfiguration.class, true, false)) {
      beans.getBeanDefinition(thin).setScope(BeanDefinition.SCOPE_PROTOTYPE);
    }
  }

  private static GridException unreadable(String file, BeansException why) {
    return GridException.of(
        "The Ignite configuration '%s' cannot be read: %s.", file, GridException.cause(why), why);
  }

  private static ClientConnectorConfiguration clientConnector(
      IgniteConfiguration configuration, String address, List<Integer> ports) {
    ClientConnectorConfiguration given = configuration.getClientConnectorConfiguration();
    // A copy, because Ignite takes its own default for unset and ignores what is set in it.
    return (given == null
            ? new ClientConnectorConfiguration()
            : new ClientConnectorConfiguration(given))
        .setHost(address)
        .setPort(ports.get(1))
        .setPortRange(0);
  }

  private static TcpDiscoverySpi discovery(List<String> peers) {
    return new TcpDiscoverySpi()
        .setLocalPortRange(0)
        .setReconnectDelay(RECONNECT_DELAY_MILLIS)
        .setIpFinder(new TcpDiscoveryVmIpFinder().setAddresses(peers));
  }

  /** The address of this machine that the grid sees: loopback unless the grid is elsewhere. */
  static String facing(List<String> peers) {
    return peers.isEmpty() ? LOOPBACK : Address.facing(peers.get(0));
  }

  /** The memory of a server node, and its files where the data outlive the process. */
  @SuppressWarnings("deprecation") // nothing else switches the metrics of checkpoints
  private static DataStorageConfiguration storage(Settings settings) {
    boolean measured = settings.get(CoreSettings.TELEMETRY).contains(TelemetryKind.GRID.id());
    return new DataStorageConfiguration()
        .setSystemDataRegionConfiguration(
            new SystemDataRegionConfiguration().setInitialSize(10 * MIB).setMaxSize(64 * MIB))
        .setDefaultDataRegionConfiguration(
            new DataRegionConfiguration()
                .setName("default")
                .setInitialSize(Math.min(settings.get(GridSettings.REGION), 64 * MIB)))
        .setMetricsEnabled(settings.get(GridSettings.PERSISTENCE) && measured);
  }

  /** The engine of H2 is there in any case: it has the indexes. */
  private static void configureSql(IgniteConfiguration configuration, Settings settings) {
    if (settings.get(GridSettings.SQL_ENGINE).equals("calcite")) {
      configuration
          .getSqlConfiguration()
          .setQueryEnginesConfiguration(
              new CalciteQueryEngineConfiguration().setDefault(true),
              new IndexingQueryEngineConfiguration());
    }
  }
}
