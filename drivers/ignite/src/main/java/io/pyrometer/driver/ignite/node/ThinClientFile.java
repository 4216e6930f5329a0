package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import java.util.function.Supplier;
import org.apache.ignite.configuration.ClientConfiguration;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.io.FileSystemResource;

/** The thin clients' configuration in a Spring file: TLS, user and password, time-outs. */
final class ThinClientFile {
  private ThinClientFile() {}

  /**
   * Gives a new configuration for each client, as the file's bean of the class {@link
   * ClientConfiguration} says, or Ignite's defaults if it has none. No other bean is created, but
   * those that it refers to.
   *
   * @throws GridException if the file cannot be read or has several such beans
   */
  static Supplier<ClientConfiguration> read(String file) {
    GenericXmlApplicationContext spring = new GenericXmlApplicationContext();
    spring.addBeanFactoryPostProcessor(ThinClientFile::onDemand);
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
}
