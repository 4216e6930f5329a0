package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A key and its certificate, which the owner of the file trusts alone, and what a Spring file says
 * to use them.
 */
record KeyStoreFile(Path file, String password) {
  private static final String PASSWORD = "secret-of-the-test";

  static KeyStoreFile create(Path file) throws IOException, InterruptedException {
    String command =
        "%s -genkeypair -alias grid -keyalg EC -dname CN=localhost -ext san=ip:127.0.0.1"
            + " -storetype PKCS12 -storepass %s -keystore %s";
    Path keytoolFile = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process keytool =
        new ProcessBuilder(command.formatted(keytoolFile, PASSWORD, file).split(" ", -1))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue()).isZero();
    return new KeyStoreFile(file, PASSWORD);
  }

  /** Properties of a server. */
  String server() {
    return node()
        + """
        <property name="clientConnectorConfiguration">
          <bean class="org.apache.ignite.configuration.ClientConnectorConfiguration">
            <property name="sslEnabled" value="true"/>
            <property name="sslClientAuth" value="false"/>
          </bean>
        </property>
        """;
  }

  /** Properties of a thick client. */
  String node() {
    return """
    <property name="sslContextFactory">
      <bean class="org.apache.ignite.ssl.SslContextFactory">
        <property name="keyStoreType" value="PKCS12"/>
        <property name="keyStoreFilePath" value="%1$s"/>
        <property name="keyStorePassword" value="%2$s"/>
        <property name="trustStoreType" value="PKCS12"/>
        <property name="trustStoreFilePath" value="%1$s"/>
        <property name="trustStorePassword" value="%2$s"/>
      </bean>
    </property>
    """
        .formatted(file, password);
  }

  /** The bean of thin clients. */
  String thin() {
    return """
    <bean id="thin" class="org.apache.ignite.configuration.ClientConfiguration">
      <property name="sslMode" value="REQUIRED"/>
      <property name="sslTrustCertificateKeyStorePath" value="%1$s"/>
      <property name="sslTrustCertificateKeyStoreType" value="PKCS12"/>
      <property name="sslTrustCertificateKeyStorePassword" value="%2$s"/>
      <property name="sslClientCertificateKeyStorePath" value="%1$s"/>
      <property name="sslClientCertificateKeyStoreType" value="PKCS12"/>
      <property name="sslClientCertificateKeyStorePassword" value="%2$s"/>
    </bean>
    """
        .formatted(file, password);
  }
}
