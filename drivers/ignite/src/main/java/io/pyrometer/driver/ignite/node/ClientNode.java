package io.pyrometer.driver.ignite.node;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.JmxAccess;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.ClientAuthenticationException;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.failure.FailureContext;
import org.apache.ignite.failure.StopNodeOrHaltFailureHandler;
import org.apache.ignite.internal.util.typedef.X;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.jspecify.annotations.Nullable;

/**
 * The thick client of an agent, and where thin clients of the same grid connect.
 *
 * @param thin base configuration of thin clients: the bean of the user's file, if there is one
 */
public record ClientNode(
    Ignite ignite,
    Command.OpenSession spec,
    JmxAccess jmxAccess,
    Supplier<ClientConfiguration> thin)
    implements AutoCloseable {
  static final String THIN_PORT = "clientListenerPort";

  /** Answer of a server to a client of another version. */
  private static final String TIMED_OUT = "Join process timed out";

  private static final Pattern OTHER_VERSION =
      Pattern.compile("different version numbers.*locBuildVer=([^,\\]]+), rmtBuildVer=([^,\\]]+)");

  private static final String OTHER_PEER_CLASS_LOADING =
      "peer class loading enabled flag different from local";

  private static final Failures FAILURES =
      Resource.read(ClientNode.class, "failures.json", new TypeReference<>() {});

  /**
   * Joins the grid as a client.
   *
   * @throws GridException if the grid cannot be joined
   */
  public static ClientNode join(Command.OpenSession spec) {
    Supplier<ClientConfiguration> thin =
        spec.config().map(Configurations::thinClients).orElse(ClientConfiguration::new);
    JmxAccess jmxAccess =
        spec.settings().find(GridSettings.JMX_ACCESS).map(JmxAccess::read).orElse(JmxAccess.NONE);
    List<String> addresses = addresses(spec);
    if (!addresses.isEmpty() && addresses.stream().noneMatch(Listener::isOpen)) {
      throw new GridException(whyNot(spec.peers(), Listener.NONE.name()));
    }
    try {
      return new ClientNode(start(spec), spec, jmxAccess, thin);
    } catch (IgniteException e) {
      boolean untrusted = X.hasCause(e, CertificateException.class);
      String cause = untrusted ? "CertificateException" : GridException.cause(e);
      String listener =
          cause.contains(TIMED_OUT)
              ? addresses.stream()
                  .flatMap(address -> Listener.at(address).stream())
                  .map(Listener::name)
                  .findFirst()
                  .orElse(cause)
              : cause;
      throw new GridException(whyNot(spec.peers(), listener), e);
    }
  }

  /** The given addresses of a grid that others started, if each is one. */
  private static List<String> addresses(Command.OpenSession spec) {
    boolean ranges = spec.peers().stream().anyMatch(peer -> !peer.matches(".+:\\d+"));
    return spec.attached() && !ranges ? spec.peers() : List.of();
  }

  /** Peer class loading must be as in the grid, and a client learns that when it is refused. */
  private static Ignite start(Command.OpenSession spec) {
    IgniteConfiguration configuration = Configurations.client(spec);
    boolean peers = configuration.isPeerClassLoadingEnabled();
    try {
      return start(configuration);
    } catch (IgniteException refused) {
      if (!GridException.cause(refused).contains(OTHER_PEER_CLASS_LOADING)) {
        throw refused;
      }
      return start(Configurations.client(spec).setPeerClassLoadingEnabled(!peers));
    }
  }

  private static Ignite start(IgniteConfiguration configuration) {
    FailureToJoin failure = new FailureToJoin();
    try {
      Ignite joined = Ignition.start(configuration.setFailureHandler(failure));
      failure.joined = true;
      return joined;
    } catch (IgniteException interrupted) {
      ClassNotFoundException missing = X.cause(failure.found, ClassNotFoundException.class);
      if (missing == null) {
        throw interrupted;
      }
      throw GridException.of(
          "A cache of the grid is configured with the class '%s', which is missing here: name its"
              + " jar or folder with --classpath.",
          missing.getMessage(), interrupted);
    } finally {
      if (failure.found != null) {
        boolean unused = Thread.interrupted();
      }
    }
  }

  /** Fails the start of the client instead of halting the JVM, so that the reason is reported. */
  private static final class FailureToJoin extends StopNodeOrHaltFailureHandler {
    private final Thread joining = Thread.currentThread();
    private volatile boolean joined;
    private volatile @Nullable Throwable found;

    @Override
    protected boolean handle(Ignite ignite, FailureContext failure) {
      if (joined) {
        return super.handle(ignite, failure);
      }
      found = failure.error();
      joining.interrupt();
      return true;
    }
  }

  static String whyNot(List<String> peers, String cause) {
    Matcher versions = OTHER_VERSION.matcher(cause);
    List<String> offered = GridSettings.PRODUCT_VERSION.description().choices();
    return versions.find()
        ? "The grid is Ignite %1$s, which clients of %2$s cannot join: %3$s."
            .formatted(
                versions.group(1),
                versions.group(2),
                offered.contains(versions.group(1))
                    ? "set 'product-version: " + versions.group(1) + "' in the grid"
                    : "attach to a grid of a version that 'product-version' offers, "
                        + String.join(", ", offered))
        : "No Ignite grid could be joined %s: %s."
            .formatted(
                peers.isEmpty()
                    ? "where its configuration looks for one"
                    : "at " + String.join(", ", peers),
                Optional.ofNullable(FAILURES.listeners.get(cause))
                    .orElseGet(() -> Failures.of(FAILURES.joining, cause, cause)));
  }

  /**
   * The file {@code failures.json}: the sentence for a failure whose text contains another one.
   *
   * @param listeners by the name of a {@link Listener}
   * @param joining reasons of thick clients
   * @param thin remedies of thin clients
   */
  private record Failures(
      Map<String, String> listeners, Map<String, String> joining, Map<String, String> thin) {
    static String of(Map<String, String> known, String text, String unknown) {
      return known.entrySet().stream()
          .filter(each -> text.contains(each.getKey()))
          .map(Map.Entry::getValue)
          .findFirst()
          .orElse(unknown);
    }
  }

  /** Returns whether the servers have Pyrometer's classes, as those have that Pyrometer started. */
  public boolean serversKnowUs() {
    return !spec.attached();
  }

  /** Begins to watch the servers from outside. */
  public ServerWatch watch() {
    return new ServerWatch(ignite, named(GridSettings.JMX), jmxAccess);
  }

  /** Names in a setting, separated by commas. */
  public List<String> named(SettingKey<String> setting) {
    return spec.settings().find(setting).stream()
        .flatMap(all -> Stream.of(all.strip().split("\\s*,\\s*", -1)))
        .toList();
  }

  /** Begins transactions over so many entries, as the settings of a trial's path say. */
  public IntFunction<Transaction> transactions(Settings trial) {
    TransactionConcurrency concurrency =
        TransactionConcurrency.valueOf(trial.get(GridSettings.CONCURRENCY));
    TransactionIsolation isolation =
        TransactionIsolation.valueOf(trial.get(GridSettings.ISOLATION));
    long millis = Math.max(1, Math.round(1e3 * trial.get(GridSettings.TRANSACTION_TIMEOUT)));
    return entries -> ignite.transactions().txStart(concurrency, isolation, millis, entries);
  }

  /** host:port of every server that listens to thin clients, as the servers themselves say. */
  public String[] thinAddresses() {
    List<String> addresses =
        ignite.cluster().forServers().nodes().stream()
            .filter(node -> node.attribute(THIN_PORT) != null)
            .flatMap(
                node ->
                    node.addresses().stream().map(host -> host + ":" + node.attribute(THIN_PORT)))
            .toList();
    if (addresses.isEmpty()) {
      throw new GridException(
          "No server of the grid listens for thin clients: enable the client connector.");
    }
    return addresses.toArray(String[]::new);
  }

  /**
   * Connects a thin client.
   *
   * @throws GridException with one sentence if it cannot
   */
  public static IgniteClient connect(ClientConfiguration configuration) {
    try {
      return Ignition.startClient(configuration);
    } catch (RuntimeException failure) {
      String cause = GridException.cause(failure);
      boolean unknown = X.hasCause(failure, ClientAuthenticationException.class);
      String known = unknown ? "ClientAuthenticationException" : cause;
      throw GridException.of(
          "A thin client could not connect: %s%s.",
          cause, Failures.of(FAILURES.thin, known, ""), failure);
    }
  }

  @Override
  public void close() {
    Ignition.stop(ignite.name(), true);
  }
}
