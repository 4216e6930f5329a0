package io.pyrometer.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;

/** Reads the vectors that the formulas are checked against. */
public final class Golden {
  private Golden() {}

  /** A JSON file under {@code golden/}. */
  public static JsonNode json(String name) {
    try (InputStream in = open("/golden/" + name)) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rows of a CSV file, by its header. */
  public static List<Map<String, String>> csv(String path) {
    try (InputStream in = open(path)) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      String[] header = lines.get(0).split(",");
      List<Map<String, String>> rows = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.split(",");
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < header.length; i++) {
          row.put(header[i], cells[i]);
        }
        rows.add(row);
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rows of a CSV file as observations of {@code y}. */
  public static List<Observation> observations(
      String path, String block, String response, List<String> factors) {
    return csv(path).stream()
        .map(
            row -> {
              Map<String, String> levels = new LinkedHashMap<>();
              factors.forEach(factor -> levels.put(factor, row.getOrDefault(factor, "")));
              double y = Double.parseDouble(row.getOrDefault(response, ""));
              return new Observation(levels, row.getOrDefault(block, "1"), Map.of("y", y));
            })
        .toList();
  }

  /** One column of a CSV file as numbers. */
  public static double[] column(List<Map<String, String>> rows, String name) {
    return rows.stream().mapToDouble(row -> Double.parseDouble(row.get(name))).toArray();
  }

  /** A JSON array of numbers. */
  public static double[] array(JsonNode node) {
    return StreamSupport.stream(node.spliterator(), false)
        .mapToDouble(JsonNode::asDouble)
        .toArray();
  }

  /** Within a share of the expected value's size. */
  public static Offset<Double> relative(double expected, double share) {
    return Offset.offset(Math.max(Math.abs(expected) * share, 1e-300));
  }

  /** ln(candidate/baseline) of each pair. */
  public static double[] lnRatios(double[] baseline, double[] candidate) {
    return IntStream.range(0, baseline.length)
        .mapToDouble(i -> Math.log(candidate[i] / baseline[i]))
        .toArray();
  }

  private static InputStream open(String path) {
    InputStream in = Golden.class.getResourceAsStream(path);
    if (in == null) {
      throw new IllegalStateException("missing " + path);
    }
    return in;
  }
}
