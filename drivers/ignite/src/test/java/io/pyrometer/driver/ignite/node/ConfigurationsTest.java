package io.pyrometer.driver.ignite.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ignite.configuration.DataPageEvictionMode;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.WALMode;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationsTest {
  @TempDir Path folder;

  private String file(String beans) throws Exception {
    String text =
        """
        <beans xmlns="http://www.springframework.org/schema/beans"
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
            xsi:schemaLocation="http://www.springframework.org/schema/beans
                http://www.springframework.org/schema/beans/spring-beans.xsd">
          %s
        </beans>
        """
            .formatted(beans);
    return Files.writeString(folder.resolve("own.xml"), text).toString();
  }

  @Test
  void aClassThatIsNotOnTheClassPathIsNamed() throws Exception {
    String file =
        file(
            """
            <bean class="org.apache.ignite.configuration.IgniteConfiguration">
              <property name="userAttributes">
                <map><entry key="zone"><bean class="com.shop.Zone"/></entry></map>
              </property>
            </bean>
            """);
    assertThatThrownBy(() -> Configurations.read(file))
        .isInstanceOf(GridException.class)
        .hasMessageContaining(file)
        .hasMessageContaining("com.shop.Zone");
  }

  @Test
  void theCommunicationOfAFileKeepsItsOptionsAndGetsAPortOfItsOwn() throws Exception {
    String file =
        file(
            """
            <bean class="org.apache.ignite.configuration.IgniteConfiguration">
              <property name="communicationSpi">
                <bean class="org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi">
                  <property name="connectionsPerNode" value="3"/>
                  <property name="localPort" value="47100"/>
                </bean>
              </property>
            </bean>
            """);
    TcpCommunicationSpi communication =
        (TcpCommunicationSpi) server(Optional.of(file), Settings.NONE).getCommunicationSpi();
    assertThat(communication.getConnectionsPerNode()).isEqualTo(3);
    assertThat(communication.getLocalPort()).isNotEqualTo(47100);
  }

  private IgniteConfiguration server(Optional<String> file, Settings settings) {
    return Configurations.server(
        new Command.StartServer(
            0,
            1,
            List.of(48000, 48001),
            List.of("127.0.0.1:48000"),
            file,
            folder.toString(),
            settings));
  }

  @Test
  @SuppressWarnings("deprecation") // nothing else tells the metrics of checkpoints
  void aServerStoresAsTheSettingsSay() {
    DataStorageConfiguration storage =
        server(
                Optional.empty(),
                new Settings(
                    Map.of(
                        "region", 32L << 20,
                        "persistence", true,
                        "page-eviction", "RANDOM_2_LRU",
                        "wal-mode", "FSYNC",
                        "telemetry", "grid")))
            .getDataStorageConfiguration();
    DataRegionConfiguration region = storage.getDefaultDataRegionConfiguration();
    assertThat(region.getMaxSize()).isEqualTo(32L << 20);
    assertThat(region.getInitialSize()).isEqualTo(32L << 20);
    assertThat(region.isPersistenceEnabled()).isTrue();
    assertThat(region.getPageEvictionMode()).isEqualTo(DataPageEvictionMode.RANDOM_2_LRU);
    assertThat(storage.getWalMode()).isEqualTo(WALMode.FSYNC);
    assertThat(storage.isMetricsEnabled()).isTrue();
  }

  @Test
  void aFileWithoutAConfigurationIsOneSentence() throws Exception {
    String file = file("<bean class=\"java.lang.Object\"/>");
    assertThatThrownBy(() -> Configurations.read(file))
        .isInstanceOf(GridException.class)
        .hasMessageContaining(file);
  }
}
