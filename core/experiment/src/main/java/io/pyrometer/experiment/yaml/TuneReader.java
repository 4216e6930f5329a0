package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.model.TuneSection;
import io.pyrometer.experiment.model.TuneSection.Limit;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.Amount;
import io.pyrometer.protocol.SettingDescription;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Reads what an experiment lets {@code tune} vary. */
final class TuneReader {
  private final Vocabulary vocabulary;
  private final Problems problems;

  TuneReader(Vocabulary vocabulary, Problems problems) {
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  TuneSection read(YamlNode node) {
    List<String> settings = new ArrayList<>();
    for (Scalar name : node.scalars("settings")) {
      TreeSet<String> known = new TreeSet<>(vocabulary.tunable());
      known.add(TuneSection.ALL);
      if (known.contains(name.text())) {
        settings.add(name.text());
      } else if (vocabulary.setting(name.text()).isPresent()) {
        problems.add(
            name.at(), "'%s' has no levels of its own; name them under 'levels'.", name.text());
      } else {
        problems.addUnknown("setting", name, known);
      }
    }
    Map<String, List<Level>> levels = new LinkedHashMap<>();
    node.pairs("levels").forEach(p -> levels(p, levels));
    List<Limit> limits =
        node.scalars("limits").stream().flatMap(text -> limit(text).stream()).toList();
    if (settings.isEmpty() && levels.isEmpty()) {
      settings.add(TuneSection.ALL);
    }
    return new TuneSection(settings, levels, limits);
  }

  private void levels(Pair pair, Map<String, List<Level>> levels) {
    String name = pair.key().text();
    if (vocabulary.setting(name).isEmpty()) {
      problems.addUnknown("setting", pair.key(), vocabulary.settingNames());
      return;
    }
    SettingsReader reader = new SettingsReader(vocabulary, problems);
    List<Level> own = new ArrayList<>();
    for (YamlNode item : pair.value().items()) {
      item.scalar()
          .map(scalar -> new Level(scalar.text(), reader.value(name, scalar).settings()))
          .filter(level -> own.stream().noneMatch(o -> o.settings().equals(level.settings())))
          .ifPresent(own::add);
    }
    levels.put(name, own);
  }

  /** Such as {@code region + node-heap <= 2g}. */
  private Optional<Limit> limit(Scalar scalar) {
    String[] sides = scalar.text().split("<=", 2);
    if (sides.length != 2) {
      return Optional.empty(); // Form says so
    }
    List<String> names = Stream.of(sides[0].split("\\+", -1)).map(String::strip).toList();
    for (String name : names) {
      if (vocabulary.setting(name).filter(TuneReader::isNumber).isEmpty()) {
        String sentence = "'%s' is no setting that has a number; correct the limit.";
        problems.add(scalar.at(), sentence, name);
        return Optional.empty();
      }
    }
    SettingDescription first = vocabulary.setting(names.get(0)).orElseThrow();
    Optional<BigDecimal> most =
        Amount.parse(
            sides[1],
            switch (first.type()) {
              case BYTES -> Amount.BYTES;
              case SECONDS -> Amount.SECONDS;
              default -> Amount.SHARES;
            });
    if (most.isEmpty()) {
      problems.add(scalar.at(), "'%s' is no amount of '%s'; correct it.", sides[1], names.get(0));
    }
    return most.map(amount -> new Limit(names, amount.doubleValue()));
  }

  private static boolean isNumber(SettingDescription setting) {
    return switch (setting.type()) {
      case INTEGER, DECIMAL, BYTES, SECONDS, SHARE, RATE -> true;
      default -> false;
    };
  }
}
