package io.pyrometer.experiment;

import io.pyrometer.protocol.Settings;
import java.util.HashMap;
import java.util.Map;

/**
 * Settings as a file gives them.
 *
 * @param at where the value of each stands
 */
record Given(Settings settings, Map<String, Position> at) {

  static final Given NOTHING = new Given(Settings.NONE, Map.of());

  Given {
    at = Map.copyOf(at);
  }

  Given with(String name, Object value, Position position) {
    return with(new Given(Settings.NONE.with(name, value), Map.of(name, position)));
  }

  Given with(Given over) {
    Map<String, Position> merged = new HashMap<>(at);
    merged.putAll(over.at);
    return new Given(settings.with(over.settings), merged);
  }
}
