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
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * What JMX ports ask for: a user with a password, and the certificates to trust where they use TLS.
 *
 * @param credentials user and password
 * @param tls whether certificates to trust are given
 */
public record JmxAccess(Optional<List<String>> credentials, boolean tls) {
  /** Ports that ask for nothing, or whose certificates every JVM trusts. */
  public static final JmxAccess NONE = new JmxAccess(Optional.empty(), false);

  private static final String USER = "user";
  private static final String PASSWORD = "password";
  private static final String TRUST_STORE = "trust-store";
  private static final String TRUST_STORE_PASSWORD = "trust-store-password";

  private static final Set<String> KEYS = Set.of(USER, PASSWORD, TRUST_STORE, TRUST_STORE_PASSWORD);

  /**
   * Reads a file of properties: {@code user}, {@code password}, {@code trust-store}, relative to
   * the file, and {@code trust-store-password}. From then on this JVM trusts the certificates of
   * the trust store, since RMI's socket factory for TLS takes the default of its JVM.
   *
   * @throws GridException with one sentence if the file or the trust store cannot be used
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
      String trusted = properties.getProperty(TRUST_STORE);
      if (trusted != null) {
        trust(
            path.resolveSibling(trusted),
            properties.getProperty(TRUST_STORE_PASSWORD, "").toCharArray());
      }
      return new JmxAccess(
          user == null || password == null
              ? Optional.empty()
              : Optional.of(List.of(user, password)),
          trusted != null);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException failure) {
      throw unusable(file, GridException.cause(failure));
    }
  }

  private static GridException unusable(String file, String why) {
    return new GridException(
        "The file '%s' of 'jmx-access' cannot be used (%s); it may have user, password, trust-store and trust-store-password."
            .formatted(file, why));
  }

  private static void trust(Path store, char[] password)
      throws IOException, GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(KeyStore.getInstance(store.toFile(), password));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    SSLContext.setDefault(context);
  }

  /** What a connector is given. */
  Map<String, Object> environment() {
    Map<String, Object> environment = new HashMap<>();
    credentials.ifPresent(
        of -> environment.put(JMXConnector.CREDENTIALS, of.toArray(String[]::new)));
    return environment;
  }
}
