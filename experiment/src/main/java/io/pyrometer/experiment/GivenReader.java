package io.pyrometer.experiment;

import io.pyrometer.protocol.SettingDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads settings: each name known, each value one that the setting takes. */
final class GivenReader {

  private final Vocabulary vocabulary;
  private final Problems problems;

  GivenReader(Vocabulary vocabulary, Problems problems) {
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  /**
   * The pairs of a map as settings.
   *
   * @param keys those that stand beside the settings and are read elsewhere
   */
  Given read(Keyed map, String what, List<String> keys) {
    Given given = Given.NOTHING;
    for (YamlNode.Pair pair : map.pairs()) {
      String name = pair.key().text();
      if (!keys.contains(name)) {
        given = given.with(setting(pair, what, keys));
      }
    }
    return given;
  }

  private Given setting(YamlNode.Pair pair, String what, List<String> keys) {
    String name = pair.key().text();
    Optional<SettingDescription> setting = vocabulary.setting(name);
    if (setting.isEmpty()) {
      List<String> names = new ArrayList<>(vocabulary.settingNames());
      names.addAll(keys);
      problems.add(
          pair.key().at(),
          "unknown setting '" + name + "' in " + what + "; " + Nearest.hint(name, names));
      return Given.NOTHING;
    }
    return Keyed.scalar("'" + name + "'", pair.value(), problems)
        .map(scalar -> value(setting.get(), scalar))
        .orElse(Given.NOTHING);
  }

  /** One value of one setting; nothing if it is not one of the setting's values. */
  Given value(SettingDescription setting, YamlNode.Scalar scalar) {
    String text = scalar.text();
    if (setting.name().equals("path")) {
      return path(scalar);
    }
    Optional<Object> value = SettingText.parse(setting, text);
    if (value.isEmpty()) {
      problems.add(scalar.at(), Expected.sentence(setting, text));
      return Given.NOTHING;
    }
    return Given.NOTHING.with(setting.name(), value.get(), scalar.at());
  }

  private Given path(YamlNode.Scalar scalar) {
    if (vocabulary.path(scalar.text()).isPresent()) {
      return Given.NOTHING.with("path", scalar.text(), scalar.at());
    }
    problems.add(
        scalar.at(),
        "unknown path '"
            + scalar.text()
            + "'; "
            + Nearest.hint(scalar.text(), vocabulary.pathNames()));
    return Given.NOTHING.with("path", scalar.text(), scalar.at());
  }
}
