package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.lang.reflect.Constructor;
import org.apache.ignite.stream.StreamReceiver;

/** The user's own receiver of a data streamer: a class on the class path of agents and nodes. */
final class UserReceiver {
  static final SettingKey<String> SETTING =
      SettingKey.text(
          SettingDescription.text(
              "receiver",
              Scope.LOAD,
              "Class of the streamer's receiver, with a constructor without arguments, on"
                  + " --classpath."));

  private UserReceiver() {}

  /**
   * @throws GridException if no class is named or it is no receiver
   */
  static StreamReceiver<Long, Object> of(Settings settings) {
    if (!settings.has(SETTING)) {
      throw new GridException(
          "Path 'streamer-receiver' has no receiver: name its class as 'receiver'.");
    }
    String name = settings.get(SETTING);
    try {
      Constructor<?> constructor = Class.forName(name).getDeclaredConstructor();
      constructor.setAccessible(true);
      return receiver(constructor.newInstance());
    } catch (ClassNotFoundException e) {
      throw new GridException(
          "Receiver " + name + " is not on the class path: give it with --classpath.", e);
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new GridException(
          "Class "
              + name
              + " cannot be a receiver: it must implement StreamReceiver and have a constructor "
              + "without arguments.",
          e);
    }
  }

  @SuppressWarnings("unchecked")
  private static StreamReceiver<Long, Object> receiver(Object made) {
    return StreamReceiver.class.cast(made);
  }
}
