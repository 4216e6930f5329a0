package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.SpellingSuggestion;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  default Optional<Scalar> scalar(String key) {
    return value(key).flatMap(YamlNode::scalar);
  }

  /** The items of the list under a key; none where there is no list. */
  default List<YamlNode> items(String key) {
    return value(key).map(YamlNode::items).orElse(List.of());
  }

  /** The pairs of the map under a key; none where there is no map. */
  default List<Pair> pairs(String key) {
    return value(key).map(YamlNode::pairs).orElse(List.of());
  }

  default List<Scalar> scalars(String key) {
    return items(key).stream().flatMap(item -> item.scalar().stream()).toList();
  }

  default Optional<String> textOf(String key) {
    return scalar(key).map(Scalar::text);
  }

  default Optional<Position> position(String key) {
    return pair(key).map(pair -> pair.key().at());
  }

  /**
   * @throws ExperimentException with the sentence, at the key, if the map has it
   */
  default void refuse(String key, String sentence) {
    position(key)
        .ifPresent(
            at -> {
              throw at.problem("%s", sentence);
            });
  }

  default boolean hasKey(String key) {
    return pair(key).isPresent();
  }

  record Scalar(Position at, String text, boolean quoted) implements YamlNode {

    /** A word of the command line. */
    static Scalar of(String option, String text) {
      return new Scalar(Position.of(option), text, false);
    }

    /** A name that is not among those known at a place, such as {@code " in the grid"}. */
    ExperimentException unknown(String what, Collection<String> known, String where) {
      String hint = SpellingSuggestion.hint(text, known);
      return at.problem("unknown %s '%s'%s; %s", what, text, where, hint);
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

    /** The mistake that is here; with values, the sentence is a format string. */
    @SuppressWarnings("AnnotateFormatMethod")
    ExperimentException problem(String sentence, Object... values) {
      String words = values.length == 0 ? sentence : sentence.formatted(values);
      String place = line == 0 ? source : source + ":" + line + ":" + column;
      return new ExperimentException(place, words.replaceAll("\\s+", " "));
    }
  }

  /** Turns text into a {@link YamlNode} tree. */
  final class Parser {

    /** Reasons for the writer of an experiment, by the parser's words. */
    private static final Map<String, String> REASONS =
        Map.of(
            "TAB", "a tab is used for indentation; indent with spaces.",
            "<block end>", "the indent does not fit the lines above; align it with its neighbours.",
            "expected ':'", "a key has no colon; write 'key: value'.",
            "expected ',' or", "a bracket is not closed before this; close it with ] or }.",
            "end of stream", "a quote is not closed; close it.",
            "undefined alias", "this alias has no anchor; define the anchor before it.",
            "lobal tag", "tags are not supported; remove it.",
            "another document", "a second document begins here; keep one experiment a file.");

    private final String source;
    private final IdentityHashMap<Node, YamlNode> done = new IdentityHashMap<>();
    private final IdentityHashMap<Node, Boolean> open = new IdentityHashMap<>();

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
        if (root == null) {
          throw parser.position(null).problem("the file is empty; begin it with 'pyrometer: 1'.");
        }
        return parser.convert(root);
      } catch (MarkedYAMLException e) {
        throw parser.position(e.getProblemMark()).problem("not YAML: " + reason(e));
      } catch (YAMLException e) {
        throw parser
            .position(null)
            .problem(
                "not YAML: the file holds a character that no text file should, or is too long; save it as plain UTF-8 text.");
      }
    }

    private static String reason(MarkedYAMLException e) {
      String problem = String.valueOf(e.getProblem());
      return REASONS.entrySet().stream()
          .filter(reason -> problem.contains(reason.getKey()))
          .map(Map.Entry::getValue)
          .findFirst()
          .orElse(
              problem.strip()
                  + "; look for a missing colon, quote, bracket or indent here or just before.");
    }

    private YamlNode convert(Node node) {
      YamlNode known = done.get(node);
      if (known != null) {
        return known;
      }
      Position at = position(node.getStartMark());
      if (open.put(node, true) != null) {
        throw at.problem("this contains itself through an alias; write it out.");
      }
      String tag = node.getTag().getValue();
      if (!tag.startsWith(Tag.PREFIX) || tag.contains("java")) {
        throw at.problem("the tag '%s' is not supported; remove it.", tag);
      }
      YamlNode converted = convertFresh(node, at);
      open.remove(node);
      done.put(node, converted);
      return converted;
    }

    private YamlNode convertFresh(Node node, Position at) {
      if (node instanceof MappingNode mapping) {
        return new Keys(at, pairs(mapping));
      }
      if (node instanceof SequenceNode sequence) {
        return new Items(at, sequence.getValue().stream().map(this::convert).toList());
      }
      return scalar((ScalarNode) node, at);
    }

    private static Scalar scalar(ScalarNode node, Position at) {
      boolean quoted = node.getScalarStyle() != DumperOptions.ScalarStyle.PLAIN;
      return new Scalar(at, node.getValue().strip(), quoted);
    }

    private List<Pair> pairs(MappingNode mapping) {
      Map<String, Position> first = new HashMap<>();
      List<Pair> pairs = new ArrayList<>();
      for (NodeTuple tuple : mapping.getValue()) {
        Position at = position(tuple.getKeyNode().getStartMark());
        if (!(tuple.getKeyNode() instanceof ScalarNode keyNode)) {
          throw at.problem("a key is a word, not a list or a map; write 'key: value'.");
        }
        Scalar key = scalar(keyNode, at);
        Position before = first.putIfAbsent(key.text(), at);
        if (before != null) {
          String sentence = "'%s' is given twice, first in line %d; keep one of them.";
          throw at.problem(sentence, key.text(), before.line());
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
