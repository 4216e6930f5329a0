package io.pyrometer.driver.ignite.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.IgniteDriver;
import io.pyrometer.protocol.DriverDescription.Tunable;
import io.pyrometer.protocol.SettingDescription;
import java.util.Map;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.junit.jupiter.api.Test;

class BeanPropertyTest {
  private static final String PAGE = "dataStorageConfiguration.pageSize";

  private static IgniteConfiguration set(String path, String value) {
    IgniteConfiguration node =
        new IgniteConfiguration().setCommunicationSpi(new TcpCommunicationSpi());
    BeanProperty.set(Map.of(path, value), node);
    return node;
  }

  @Test
  void beansOnTheWayAreMade() {
    assertThat(set(PAGE, "8192").getDataStorageConfiguration().getPageSize()).isEqualTo(8192);
  }

  @Test
  void anOptionThatIgniteRefusesIsRefusedInItsWords() {
    assertThatThrownBy(() -> set(PAGE, "5000"))
        .isInstanceOf(GridException.class)
        .hasMessageContaining(PAGE)
        .hasMessageContaining("power of 2");
  }

  @Test
  void whatIsNoPropertyOrNoValueIsNamed() {
    assertThatThrownBy(() -> set("dataStorageConfiguration.pagesize", "8192"))
        .hasMessageContaining("pagesize");
    assertThatThrownBy(() -> set("stripedPoolSize", "many"))
        .hasMessageContaining("'stripedPoolSize'");
    assertThatThrownBy(() -> set("communicationSpi.directBuffer", "much"))
        .hasMessageContaining("communicationSpi.directBuffer");
    assertThatThrownBy(() -> set("gridLogger", "x")).hasMessageContaining("gridLogger");
  }

  @Test
  void everyListedOptionIsOneOfIgniteWithItsOwnDefault() {
    for (Tunable each : new IgniteDriver().describe().tunable()) {
      String name = each.setting();
      boolean ofCache = name.startsWith(SettingDescription.PROPERTY + SettingDescription.OF_CACHE);
      if (name.startsWith(SettingDescription.PROPERTY)) {
        String path =
            name.substring(
                SettingDescription.PROPERTY.length()
                    + (ofCache ? SettingDescription.OF_CACHE.length() : 0));
        Object bean =
            ofCache
                ? new CacheConfiguration<>()
                : new IgniteConfiguration()
                    .setCommunicationSpi(
                        new TcpCommunicationSpi().setSocketSendBuffer(0).setSocketReceiveBuffer(0))
                    .setDataStorageConfiguration(
                        new DataStorageConfiguration()
                            .setPageSize(DataStorageConfiguration.DFLT_PAGE_SIZE));
        each.productDefault()
            .ifPresent(own -> assertThat(BeanProperty.text(path, bean)).contains(own));
        for (String level : each.levels()) {
          BeanProperty.set(Map.of(path, level), bean);
          assertThat(BeanProperty.text(path, bean)).contains(level);
        }
      } else {
        assertThat(each.levels()).as(name).isNotEmpty();
      }
    }
  }
}
