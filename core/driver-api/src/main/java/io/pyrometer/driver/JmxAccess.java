package io.pyrometer.driver;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import javax.management.remote.JMXConnector;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Access that JMX ports ask for: a user with a password and, where they use TLS, the certificates
 * to trust and the client's own.
 *
 * @param credentials user and password
 * @param tls whether certificates are given
 */
public record JmxAccess(Optional<List<String>> credentials, boolean tls) {
  /** Ports that ask for nothing, or whose certificates every JVM trusts. */
  public static final JmxAccess NONE = new JmxAccess(Optional.empty(), false);

  private static final String USER = "user";
  private static final String PASSWORD = "password";
  private static final String TRUST_STORE = "trust-store";
  private static final String KEY_STORE = "key-store";
  private static final String OF_STORE = "-password";

  private static final Set<String> KEYS =
      Set.of(USER, PASSWORD, TRUST_STORE, TRUST_STORE + OF_STORE, KEY_STORE, KEY_STORE + OF_STORE);

  /**
   * Reads a file of properties: {@code user}, {@code password}, {@code trust-store} and {@code
   * key-store}, relative to the file, and their passwords. From then on they are those of this JVM,
   * since RMI's socket factory for TLS takes the default of its JVM.
   *
   * @throws GridException with one sentence if the file or a store cannot be used
   */
  public static JmxAccess read(String file) {
    try {
      Path path = Path.of(file);
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(path)) {
        properties.load(reader);
      }
      Set<String> unknown = new TreeSet<>(properties.stringPropertyNames());
      unknown.removeAll(KEYS);
      if (!unknown.isEmpty()) {
        throw unusable(file, "it has the key '%s'".formatted(String.join("', '", unknown)));
      }
      String user = properties.getProperty(USER);
      String password = properties.getProperty(PASSWORD);
      if ((user == null) != (password == null)) {
        throw unusable(file, "user and password belong together");
      }
      boolean tls = properties.containsKey(TRUST_STORE) || properties.containsKey(KEY_STORE);
      if (tls) {
        useTls(path, properties);
      }
      return new JmxAccess(
          user == null || password == null
              ? Optional.empty()
              : Optional.of(List.of(user, password)),
          tls);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException failure) {
      throw unusable(file, GridException.cause(failure));
    }
  }

  private static GridException unusable(String file, String why) {
    return new GridException(
        "The file '%s' of 'jmx-access' cannot be used (%s); it may have user, password, trust-store, trust-store-password, key-store and key-store-password."
            .formatted(file, why));
  }

  /** Without a trust store every certificate is trusted that this JVM trusts anyway. */
  private static void useTls(Path file, Properties properties)
      throws IOException, GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store(file, properties, TRUST_STORE));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store(file, properties, KEY_STORE), password(properties, KEY_STORE));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    SSLContext.setDefault(context);
  }

  private static @Nullable KeyStore store(Path file, Properties properties, String key)
      throws IOException, GeneralSecurityException {
    String name = properties.getProperty(key);
    return name == null
        ? null
        : KeyStore.getInstance(file.resolveSibling(name).toFile(), password(properties, key));
  }

  private static char[] password(Properties properties, String store) {
    return properties.getProperty(store + OF_STORE, "").toCharArray();
  }

  /** Environment that a connector is given. */
  Map<String, Object> environment() {
    Map<String, Object> environment = new HashMap<>();
    credentials.ifPresent(
        of -> environment.put(JMXConnector.CREDENTIALS, of.toArray(String[]::new)));
    return environment;
  }
}
