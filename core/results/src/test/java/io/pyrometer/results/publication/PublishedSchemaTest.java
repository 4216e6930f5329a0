package io.pyrometer.results.publication;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.Json;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.study.StudyResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema of a published result describes what is written, every field of it and no other. */
class PublishedSchemaTest {
  private static final String TEXT = read(Path.of("../../docs/published-result.schema.json"));
  private static final JsonNode TREE = tree(TEXT);
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(TEXT, InputFormat.JSON);

  private static final String CLOSED =
      """
      pyrometer: 1
      name: closed
      question: Which path is the fastest?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000}
      factors:
        path: [put, put-all, put-async]
        backups: {role: condition, levels: [0, 1]}
      blocks: 3
      analyses: [ranking, factors]
      published:
        source: a text
        figures:
          - {at: {path: put, backups: 0}, rate: 1000}
          - {at: {path: put-all, backups: 0}, rate: 30000}
      """;

  private static final String OPEN =
      """
      pyrometer: 1
      name: open
      question: Which path answers first?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000, rate: 500}
      factors:
        path: [put, put-all]
      blocks: 3
      analyses: [ranking]
      """;

  @TempDir Path folder;

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static JsonNode tree(String text) {
    try {
      return Json.LINES.readTree(text);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private String published(String experiment) throws IOException {
    Path results = Files.createDirectories(folder.resolve("results"));
    return read(
        Publication.write(
            Publication.of(
                MadeUpRun.of(Fixture.read(experiment), Fixture.CATALOGUE)
                    .write(
                        folder.resolve("runs"),
                        trial -> trial.path().equals("put-all") ? 50_000 : 1_000),
                false,
                Files.createTempDirectory(results, ".draft")),
            results));
  }

  @ParameterizedTest
  @MethodSource
  void whatIsWrittenFits(String experiment) throws IOException {
    assertThat(SCHEMA.validate(published(experiment), InputFormat.JSON)).isEmpty();
  }

  static Stream<String> whatIsWrittenFits() {
    return Stream.of(CLOSED, OPEN);
  }

  @ParameterizedTest
  @MethodSource
  void figuresOfTextsFit(Path file) {
    assertThat(SCHEMA.validate(read(file), InputFormat.JSON)).isEmpty();
  }

  static List<Path> figuresOfTextsFit() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../../lab/published-results"))) {
      return files.filter(file -> file.toString().endsWith(".json")).toList();
    }
  }

  private static ObjectNode at(ObjectNode node, String pointer) {
    return (ObjectNode) node.at(pointer);
  }

  @Test
  void mistakesDoNot() throws IOException {
    List<Consumer<ObjectNode>> mistakes =
        List.of(
            result -> result.remove("command"),
            result -> result.put("schema", 2),
            result -> result.put("date", "26 November 2026"),
            result -> result.put("remark", "not in the schema"),
            result -> result.putObject("published").put("source", "of a text too"),
            result -> at(result, "/machine").put("cores", "two"),
            result -> at(result, "/evidence").put("folder", "../elsewhere"),
            result -> at(result, "/evidence/sha256").put("journal.jsonl", "unknown"),
            result -> at(result, "/results/rankings/0/rows/0").remove("throughput"),
            result -> at(result, "/results/rankings/0/rows/0/throughput").remove("low"),
            result -> at(result, "/results/analyses/0/estimates/0").remove("note"),
            result -> at(result, "/results/findings/0").put("severity", "BAD"));
    String right = published(CLOSED);
    for (Consumer<ObjectNode> mistake : mistakes) {
      ObjectNode wrong = (ObjectNode) tree(right);
      mistake.accept(wrong);
      assertThat(SCHEMA.validate(wrong.toString(), InputFormat.JSON)).isNotEmpty();
    }
  }

  @Test
  void everyFieldIsDescribedWithItsType() {
    assertDescribed(Publication.class, TREE, "published");
    assertDescribed(Finding.class, TREE.at("/$defs/finding"));
    assertDescribed(Ranking.class, TREE.at("/$defs/ranking"));
    assertDescribed(StudyResult.Item.class, TREE.at("/$defs/analysis/properties/estimates/items"));
  }

  /** Follows records down to their figures; what Jackson read as a tree has its own line above. */
  private static void assertDescribed(Type type, JsonNode given, String... besides) {
    JsonNode schema = given.has("$ref") ? TREE.at(given.path("$ref").asText().substring(1)) : given;
    if (type instanceof ParameterizedType of) {
      List<Type> arguments = List.of(of.getActualTypeArguments());
      Type last = arguments.get(arguments.size() - 1);
      if (of.getRawType() == Optional.class) {
        assertDescribed(last, schema);
      } else if (Collection.class.isAssignableFrom((Class<?>) of.getRawType())) {
        assertThat(schema.path("type").asText()).as("%s", type).isEqualTo("array");
        assertDescribed(last, schema.path("items"));
      } else {
        assertThat((Class<?>) of.getRawType()).isEqualTo(Map.class);
        boolean named = schema.has("properties");
        (named ? schema.path("properties") : schema)
            .forEach(
                value -> {
                  if (named || value == schema.path("additionalProperties")) {
                    assertDescribed(last, value);
                  }
                });
      }
    } else if (type instanceof Class<?> kind && kind.isRecord()) {
      RecordComponent[] fields = kind.getRecordComponents();
      TreeSet<String> names = new TreeSet<>(List.of(besides));
      TreeSet<String> always = new TreeSet<>();
      for (RecordComponent field : fields) {
        names.add(field.getName());
        if (field.getType() != Optional.class) {
          always.add(field.getName());
        }
        assertDescribed(field.getGenericType(), schema.path("properties").path(field.getName()));
      }
      assertThat(schema.path("properties").fieldNames())
          .toIterable()
          .as("%s", kind)
          .containsExactlyInAnyOrderElementsOf(names);
      assertThat(words(schema.path("required"), schema.at("/else/required")))
          .as("%s", kind)
          .isEqualTo(always);
    } else if (type instanceof Class<?> kind && kind.isEnum()) {
      assertThat(words(schema.path("enum")))
          .as("%s", kind)
          .isEqualTo(
              new TreeSet<>(
                  Arrays.stream(kind.getEnumConstants())
                      .map(one -> tree(json(one)).asText())
                      .toList()));
    } else if (type != JsonNode.class && !schema.has("const")) {
      assertThat(schema.path("type").asText()).as("%s", type).isEqualTo(word(type));
    }
  }

  private static String json(Object value) {
    return Json.LINES.valueToTree(value).toString();
  }

  private static TreeSet<String> words(JsonNode... arrays) {
    TreeSet<String> words = new TreeSet<>();
    for (JsonNode array : arrays) {
      StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).forEach(words::add);
    }
    return words;
  }

  private static String word(Type type) {
    if (type == int.class || type == long.class) {
      return "integer";
    } else if (type == double.class || type == Double.class) {
      return "number";
    }
    return type == boolean.class ? "boolean" : "string";
  }
}
