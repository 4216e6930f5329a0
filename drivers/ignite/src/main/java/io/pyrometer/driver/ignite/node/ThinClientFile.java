package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.ignite.configuration.ClientConfiguration;
import org.springframework.beans.BeansException;
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
    List<String> names = List.of(spring.getBeanNamesForType(ClientConfiguration.class));
    if (names.size() > 1) {
      throw GridException.of(
          "The Ignite configuration '%s' has %d beans of the class ClientConfiguration (%s): keep one.",
          file, names.size(), String.join(", ", names));
    }
    return () -> names.isEmpty() ? new ClientConfiguration() : made(spring, names.get(0), file);
  }

  private static void onDemand(ConfigurableListableBeanFactory beans) {
    List<String> thin = List.of(beans.getBeanNamesForType(ClientConfiguration.class, true, false));
    for (String name : beans.getBeanDefinitionNames()) {
      BeanDefinition bean = beans.getBeanDefinition(name);
      bean.setLazyInit(true);
      if (thin.contains(name)) {
        bean.setScope(BeanDefinition.SCOPE_PROTOTYPE);
      }
    }
  }

  private static ClientConfiguration made(
      GenericXmlApplicationContext spring, String name, String file) {
    try {
      return spring.getBean(name, ClientConfiguration.class);
    } catch (BeansException e) {
      throw unreadable(file, e);
    }
  }

  private static GridException unreadable(String file, BeansException why) {
    return GridException.of(
        "The Ignite configuration '%s' cannot be read: %s.", file, GridException.cause(why), why);
  }
}
