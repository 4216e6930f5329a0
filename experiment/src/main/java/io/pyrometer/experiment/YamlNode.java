package io.pyrometer.experiment;

import java.util.List;
import java.util.Optional;

/** A YAML file as a tree that knows where each thing stands. Scalars are the text as written. */
sealed interface YamlNode {

  Position at();

  record Scalar(Position at, String text, boolean quoted) implements YamlNode {

    boolean empty() {
      return text.isBlank() || (!quoted && (text.equals("~") || text.equals("null")));
    }
  }

  record Items(Position at, List<YamlNode> nodes) implements YamlNode {}

  /** Pairs in the order of the file, each key once. */
  record Keys(Position at, List<Pair> pairs) implements YamlNode {

    Optional<Pair> find(String key) {
      return pairs.stream().filter(pair -> pair.key().text().equals(key)).findFirst();
    }

    Optional<YamlNode> value(String key) {
      return find(key).map(Pair::value);
    }
  }

  record Pair(Scalar key, YamlNode value) {}
}
