package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.SpellingSuggestion;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A YAML file as a tree that knows where each thing stands. Scalars are the text as written. */
sealed interface YamlNode {

  Position at();

  /** The pairs of a map in the order of the file, each key once; of other nodes none. */
  default List<Pair> pairs() {
    return List.of();
  }

  /** The items of a list; of other nodes none. */
  default List<YamlNode> items() {
    return List.of();
  }

  /** The scalar itself, unless it is empty; of other nodes none. */
  default Optional<Scalar> scalar() {
    return Optional.empty();
  }

  default Optional<Pair> pair(String key) {
    return pairs().stream().filter(pair -> pair.key().text().equals(key)).findFirst();
  }

  default Optional<YamlNode> value(String key) {
    return pair(key).map(Pair::value);
  }

  /** The value of a key; an empty list where it is absent. */
  default YamlNode get(String key) {
    return value(key).orElseGet(() -> new Items(at(), List.of()));
  }

  default Optional<Scalar> scalar(String key) {
    return get(key).scalar();
  }

  default Optional<String> textOf(String key) {
    return scalar(key).map(Scalar::text);
  }

  /** The scalar itself, or those of a list; empty ones are left out. */
  default List<Scalar> scalars() {
    return Stream.concat(Stream.of(this), items().stream())
        .flatMap(node -> node.scalar().stream())
        .toList();
  }

  /** The texts of {@link #scalars}. */
  default List<String> texts() {
    return scalars().stream().map(Scalar::text).toList();
  }

  default Optional<Position> position(String key) {
    return pair(key).map(pair -> pair.key().at());
  }

  /**
   * @throws ExperimentException with the sentence, at the key, if the map has it
   */
  default void refuse(String key, String id, Object... values) {
    position(key).ifPresent(at -> at.refuseIf(true, id, values));
  }

  default boolean hasKey(String key) {
    return pair(key).isPresent();
  }

  /** Refuses this node, see {@link Position#refuseIf}. */
  default void refuseIf(boolean wrong, String id, Object... values) {
    at().refuseIf(wrong, id, values);
  }

  /** The mistake of this node, see {@link Position#problem}. */
  default ExperimentException problem(String id, Object... values) {
    return at().problem(id, values);
  }

  record Scalar(Position at, String text, boolean quoted) implements YamlNode {

    /** A name that is not among those known at a place, such as {@code " in the grid"}. */
    ExperimentException unknown(String what, Collection<String> known, String where) {
      String hint = SpellingSuggestion.hint(text, known);
      return at.problem("name.unknown", what, text, where, hint);
    }

    /** The text, if it is among those known at a place; see {@link #unknown}. */
    String oneOf(Collection<String> known, String what, String where) {
      if (!known.contains(text)) {
        throw unknown(what, known, where);
      }
      return text;
    }

    boolean empty() {
      return text.isBlank() || (!quoted && (text.equals("~") || text.equals("null")));
    }

    @Override
    public Optional<Scalar> scalar() {
      return empty() ? Optional.empty() : Optional.of(this);
    }
  }

  record Items(Position at, List<YamlNode> items) implements YamlNode {}

  record Keys(Position at, List<Pair> pairs) implements YamlNode {}

  record Pair(Scalar key, YamlNode value) {}

  /**
   * A place in a file or in an option of the command line.
   *
   * @param line from 1; 0 where the source has no lines
   * @param column from 1; 0 where the source has no lines
   */
  record Position(String source, int line, int column) {

    static Position of(String option) {
      return new Position(option, 0, 0);
    }

    /**
     * @throws ExperimentException as {@link #problem}, if there is one
     */
    void refuseIf(boolean wrong, String id, Object... values) {
      if (wrong) {
        throw problem(id, values);
      }
    }

    /**
     * @throws ExperimentException with the sentence, if there is one
     */
    void refuse(Optional<String> sentence) {
      if (sentence.isPresent()) {
        throw says(sentence.get());
      }
    }

    /** The mistake that is here, by the id of its {@link ExperimentException#words}. */
    ExperimentException problem(String id, Object... values) {
      return says(ExperimentException.words(id, values));
    }

    /** Variant with the sentence itself. */
    ExperimentException says(String sentence) {
      String place = line == 0 ? source : source + ":" + line + ":" + column;
      return new ExperimentException(place, sentence.replaceAll("\\s+", " "));
    }
  }

  /** Turns text into a {@link YamlNode} tree. */
  final class Parser {

    /** Ids of reasons for the writer of an experiment, by the parser's words. */
    private static final Map<String, String> REASONS =
        Map.of(
            "TAB", "yaml.tab",
            "<block end>", "yaml.indent",
            "expected ':'", "yaml.no-colon",
            "expected ',' or", "yaml.bracket",
            "end of stream", "yaml.quote",
            "undefined alias", "yaml.alias",
            "lobal tag", "yaml.tags",
            "another document", "yaml.second-document");

    private final String source;
    private final Map<Node, YamlNode> done = new HashMap<>();
    private final Set<Node> open = new HashSet<>();

    private Parser(String source) {
      this.source = source;
    }

    /**
     * @throws ExperimentException if the text is not YAML or empty
     */
    static YamlNode parse(String text, String source) {
      Parser parser = new Parser(source);
      try {
        Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
        parser.position(null).refuseIf(root == null, "yaml.empty");
        return parser.convert(root);
      } catch (MarkedYAMLException e) {
        throw parser.position(e.getProblemMark()).problem("yaml.not", reason(e));
      } catch (YAMLException e) {
        throw parser.position(null).problem("yaml.character");
      }
    }

    private static String reason(MarkedYAMLException e) {
      String problem = String.valueOf(e.getProblem());
      return REASONS.entrySet().stream()
          .filter(reason -> problem.contains(reason.getKey()))
          .map(reason -> ExperimentException.words(reason.getValue()))
          .findFirst()
          .orElse(problem.strip() + ExperimentException.words("yaml.other"));
    }

    private YamlNode convert(Node node) {
      YamlNode known = done.get(node);
      if (known != null) {
        return known;
      }
      Position at = position(node.getStartMark());
      at.refuseIf(!open.add(node), "yaml.contains-itself");
      String tag = node.getTag().getValue();
      at.refuseIf(!tag.startsWith(Tag.PREFIX) || tag.contains("java"), "yaml.tag", tag);
      YamlNode converted =
          node instanceof MappingNode mapping
              ? new Keys(at, pairs(mapping))
              : node instanceof SequenceNode sequence
                  ? new Items(at, sequence.getValue().stream().map(this::convert).toList())
                  : scalar((ScalarNode) node, at);
      done.put(node, converted);
      return converted;
    }

    private static Scalar scalar(ScalarNode node, Position at) {
      boolean quoted = node.getScalarStyle() != DumperOptions.ScalarStyle.PLAIN;
      return new Scalar(at, node.getValue().strip(), quoted);
    }

    private List<Pair> pairs(MappingNode mapping) {
      Map<String, Position> first = new HashMap<>();
      List<Pair> pairs = new ArrayList<>();
      for (NodeTuple tuple : mapping.getValue()) {
        Node keyNode = tuple.getKeyNode();
        Position at = position(keyNode.getStartMark());
        at.refuseIf(!(keyNode instanceof ScalarNode), "yaml.key");
        Scalar key = scalar((ScalarNode) keyNode, at);
        Position before = first.putIfAbsent(key.text(), at);
        if (before != null) {
          throw at.problem("yaml.key-twice", key.text(), before.line());
        }
        pairs.add(new Pair(key, convert(tuple.getValueNode())));
      }
      return List.copyOf(pairs);
    }

    private Position position(@Nullable Mark mark) {
      return mark == null
          ? new Position(source, 1, 1)
          : new Position(source, mark.getLine() + 1, mark.getColumn() + 1);
    }
  }
}
