package io.pyrometer.driver.ignite.node;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void aFileWithoutAConfigurationIsOneSentence() throws Exception {
    String file = file("<bean class=\"java.lang.Object\"/>");
    assertThatThrownBy(() -> Configurations.read(file))
        .isInstanceOf(GridException.class)
        .hasMessageContaining(file);
  }
}
